import { Checkbox, Group, MultiSelect, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { contentTypesQuery } from '../content/type-queries.ts';
import type { ApiForm } from '../forms/use-api-form.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { useLanguageNames } from '../sites/use-language-names.ts';
import { WEBHOOK_FORM_TEXTS, WEBHOOK_TEXTS } from '../texts/webhook-texts.ts';
import { HeaderInputs } from './header-inputs.tsx';
import { EVENT_KINDS, type WebhookValues } from './webhook-values.ts';

interface WebhookFieldsProps {
  readonly site: string;
  readonly form: Pick<ApiForm<WebhookValues>, 'values' | 'set' | 'textOf' | 'errorOf' | 'errorAt'>;
  readonly isNew?: boolean;
}

/** Inputs for everything that an owner can change about a webhook, except whether it is on. */
export function WebhookFields({ site, form, isNew = false }: WebhookFieldsProps) {
  const { values, set, textOf, errorOf } = form;
  const url = textOf('url', WEBHOOK_TEXTS.url);
  return (
    <>
      <TextInput description={WEBHOOK_TEXTS.nameHelp} autoFocus={isNew} {...textOf('name', WEBHOOK_TEXTS.name)} />
      <TextInput
        {...url}
        description={WEBHOOK_TEXTS.urlHelp}
        type="url"
        autoComplete="off"
        spellCheck={false}
        error={url.error !== undefined && values.url !== '' ? WEBHOOK_TEXTS.urlInvalid : url.error}
      />
      <Checkbox.Group
        label={WEBHOOK_FORM_TEXTS.kinds}
        description={WEBHOOK_FORM_TEXTS.kindsHelp}
        value={[...values.kinds]}
        onChange={(chosen) =>
          set(
            'kinds',
            EVENT_KINDS.filter((kind) => chosen.includes(kind)),
          )
        }
        error={errorOf('kinds', WEBHOOK_FORM_TEXTS.kinds) && WEBHOOK_FORM_TEXTS.noKind}
      >
        <Stack gap="xs" mt={8}>
          {EVENT_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              value={kind}
              label={WEBHOOK_FORM_TEXTS.kindNames[kind]}
              description={WEBHOOK_FORM_TEXTS.kindHelp[kind]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <TypeChoice site={site} form={form} />
      <LanguageChoice site={site} form={form} />
      <Radio.Group
        label={WEBHOOK_FORM_TEXTS.payload}
        value={values.payload}
        onChange={(chosen) => set('payload', chosen === 'full' ? 'full' : 'light')}
        error={errorOf('payload', WEBHOOK_FORM_TEXTS.payload) && WEBHOOK_FORM_TEXTS.fullRefused}
      >
        <Stack gap="xs" mt={6}>
          {(['light', 'full'] as const).map((payload) => (
            <Radio
              key={payload}
              value={payload}
              label={WEBHOOK_FORM_TEXTS.payloads[payload]}
              description={WEBHOOK_FORM_TEXTS.payloadHelp[payload]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Switch
        label={WEBHOOK_FORM_TEXTS.batch}
        description={WEBHOOK_FORM_TEXTS.batchHelp}
        checked={values.is_batched}
        onChange={(event) => set('is_batched', event.currentTarget.checked)}
      />
      <HeaderInputs form={form} value={values.headers} onChange={(headers) => set('headers', headers)} />
    </>
  );
}

type ChoiceProps = Pick<WebhookFieldsProps, 'site' | 'form'>;

function TypeChoice({ site, form: { values, set, errorOf } }: ChoiceProps) {
  const { data: types } = useSuspenseQuery(contentTypesQuery(site));
  const names = new Map(types.map(({ handle, name }) => [handle, name]));
  const error = errorOf('content_types', WEBHOOK_FORM_TEXTS.types);
  return (
    <AllOrSome
      label={WEBHOOK_FORM_TEXTS.types}
      all={WEBHOOK_FORM_TEXTS.allTypes}
      some={WEBHOOK_FORM_TEXTS.someTypes}
      isAll={values.all_types}
      onChange={(isAll) => set('all_types', isAll)}
    >
      <MultiSelect
        aria-label={WEBHOOK_FORM_TEXTS.listOf(WEBHOOK_FORM_TEXTS.types)}
        data={listChoices([...names.keys()], values.content_types, (handle) => names.get(handle) ?? handle)}
        searchable
        value={values.content_types}
        onChange={(chosen) => set('content_types', chosen)}
        error={error && values.content_types.length === 0 ? WEBHOOK_FORM_TEXTS.noType : error}
      />
    </AllOrSome>
  );
}

/** On a site with one language, there is nothing to choose from, unless the webhook was limited to some languages when there were more. */
function LanguageChoice({ site, form: { values, set, errorOf } }: ChoiceProps) {
  const { data } = useSuspenseQuery(siteQuery(site));
  const nameLanguage = useLanguageNames(site);
  const error = errorOf('languages', WEBHOOK_FORM_TEXTS.languages);
  if (data.languages.length === 1 && values.all_languages) return null;
  return (
    <AllOrSome
      label={WEBHOOK_FORM_TEXTS.languages}
      all={WEBHOOK_FORM_TEXTS.allLanguages}
      some={WEBHOOK_FORM_TEXTS.someLanguages}
      isAll={values.all_languages}
      onChange={(isAll) => set('all_languages', isAll)}
    >
      <MultiSelect
        aria-label={WEBHOOK_FORM_TEXTS.listOf(WEBHOOK_FORM_TEXTS.languages)}
        data={listChoices(data.languages, values.languages, nameLanguage)}
        searchable
        value={values.languages}
        onChange={(chosen) => set('languages', chosen)}
        error={error && values.languages.length === 0 ? WEBHOOK_FORM_TEXTS.noLanguage : error}
      />
    </AllOrSome>
  );
}

/** Includes choices that no longer exist, so that they can be removed. */
function listChoices(known: readonly string[], chosen: readonly string[], nameOf: (choice: string) => string) {
  return [...new Set([...known, ...chosen])].map((value) => ({ value, label: nameOf(value) }));
}

interface AllOrSomeProps {
  readonly label: string;
  readonly all: string;
  readonly some: string;
  readonly isAll: boolean;
  readonly onChange: (isAll: boolean) => void;
  /** The input for selecting individual items; hidden while “all” is selected. */
  readonly children: ReactNode;
}

function AllOrSome({ label, all, some, isAll, onChange, children }: AllOrSomeProps) {
  return (
    <Stack gap="xs">
      <Radio.Group label={label} value={isAll ? 'all' : 'some'} onChange={(chosen) => onChange(chosen === 'all')}>
        <Group gap="0.5rem 1.5rem" mt={6}>
          <Radio value="all" label={all} />
          <Radio value="some" label={some} />
        </Group>
      </Radio.Group>
      {!isAll && children}
    </Stack>
  );
}
