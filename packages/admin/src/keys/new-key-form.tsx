import type { NewApiKeyBody } from '@galley/wire';
import { Button, Group, MultiSelect, NumberInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { LinkButton } from '../elements/link-button.tsx';
import { readTimeZone } from '../elements/time-text.tsx';
import { encodeMoment } from '../forms/encode-moment.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { type NumberText, parseNumber } from '../forms/parse-number.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

interface NewKey {
  readonly name: string;
  readonly all_sites: boolean;
  readonly sites: string[];
  readonly preview: boolean;
  /** In local time, as the picker has it: `2030-01-31 12:00:00`. */
  readonly expires_at: string | null;
  readonly rate_limit: NumberText;
}

interface NewKeyFormProps {
  readonly onCreated: (key: NewApiKeyBody) => Promise<void>;
}

export function NewKeyForm({ onCreated }: NewKeyFormProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const initial: NewKey = {
    name: '',
    all_sites: sites.length === 0,
    sites: sites.length === 1 ? sites.map(({ id }) => id) : [],
    preview: false,
    expires_at: null,
    rate_limit: '',
  };
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial,
    submit: (key) => readAnswer(api.POST('/manage/v1/keys', { body: buildBody(key) })),
    onDone: onCreated,
  });
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={message} />
        <TextInput
          label={KEY_TEXTS.name}
          description={KEY_TEXTS.nameHelp}
          autoFocus
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        <Radio.Group
          label={KEY_TEXTS.access}
          value={values.all_sites ? 'all' : 'some'}
          onChange={(chosen) => set('all_sites', chosen === 'all')}
        >
          <Group gap="lg" mt={6}>
            <Radio value="some" label={KEY_TEXTS.someSites} />
            <Radio value="all" label={KEY_TEXTS.allSites} />
          </Group>
        </Radio.Group>
        {!values.all_sites && (
          <MultiSelect
            label={KEY_TEXTS.sites}
            data={sites.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            value={values.sites}
            onChange={(chosen) => set('sites', chosen)}
            error={errorOf('sites')}
          />
        )}
        <Switch
          label={KEY_TEXTS.previewLabel}
          description={KEY_TEXTS.previewHelp}
          checked={values.preview}
          onChange={(event) => set('preview', event.currentTarget.checked)}
        />
        <DateTimePicker
          label={KEY_TEXTS.expires}
          description={KEY_TEXTS.expiresHelp(readTimeZone())}
          clearable
          value={values.expires_at}
          onChange={(moment) => set('expires_at', moment)}
          error={errorOf('expires_at')}
        />
        <NumberInput
          label={KEY_TEXTS.limitLabel}
          description={KEY_TEXTS.limitHelp}
          allowDecimal={false}
          allowNegative={false}
          value={values.rate_limit}
          onChange={(limit) => set('rate_limit', limit)}
          error={errorOf('rate_limit')}
        />
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {KEY_TEXTS.create}
          </Button>
          <LinkButton to="/account/keys" variant="default">
            {SHELL_TEXTS.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}

function buildBody({ name, all_sites: isForAll, sites, preview, expires_at: expires, rate_limit: limit }: NewKey) {
  return {
    name,
    ...(isForAll ? { all_sites: true } : { sites }),
    preview,
    expires_at: expires === null ? null : encodeMoment(expires),
    rate_limit: parseNumber(limit) ?? null,
  };
}
