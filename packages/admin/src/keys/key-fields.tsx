import { Group, MultiSelect, Radio, Switch, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { readTimeZone } from '../elements/time-text.tsx';
import { NumberInput } from '../forms/number-input.tsx';
import type { ApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import type { KeyValues } from './key-values.ts';

interface KeyFieldsProps {
  readonly form: Pick<ApiForm<KeyValues>, 'values' | 'set' | 'errorOf'>;
  readonly isNew?: boolean;
}

/** Inputs for an API key's name and permissions. */
export function KeyFields({ form: { values, set, errorOf }, isNew = false }: KeyFieldsProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  return (
    <>
      <TextInput
        label={KEY_TEXTS.name}
        description={KEY_TEXTS.nameHelp}
        autoFocus={isNew}
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={errorOf('name', KEY_TEXTS.name)}
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
          error={errorOf('sites', KEY_TEXTS.oneSite)}
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
        clearButtonProps={{ 'aria-label': KEY_TEXTS.clearExpiry }}
        value={values.expires_at}
        onChange={(moment) => set('expires_at', moment)}
        error={errorOf('expires_at', KEY_TEXTS.expires)}
      />
      <NumberInput
        label={KEY_TEXTS.limitLabel}
        description={KEY_TEXTS.limitHelp}
        allowDecimal={false}
        allowNegative={false}
        value={values.rate_limit}
        onChange={(limit) => set('rate_limit', limit)}
        error={errorOf('rate_limit', KEY_TEXTS.limitLabel)}
      />
    </>
  );
}
