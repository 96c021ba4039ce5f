// The settings that are specific to a kind of field.

import type { ManagedTypeBody } from '@galley/wire';
import { Checkbox, MultiSelect, SegmentedControl, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { useId } from 'react';
import { NumberInput } from '../forms/number-input.tsx';
import type { ApiForm } from '../forms/use-api-form.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import type { FieldDraft } from './field-draft.ts';
import type { FieldKind } from './field-kinds.tsx';
import { OptionsInput } from './options-input.tsx';
import classes from './type-fields.module.css';

export interface FieldSettingsProps {
  readonly kind: FieldKind;
  readonly types: readonly ManagedTypeBody[];
  readonly form: Pick<ApiForm<FieldDraft>, 'values' | 'set' | 'errorOf' | 'errorAt'>;
}

type Settings = FieldSettingsProps['form'];

export function FieldSettings({ kind, types, form }: FieldSettingsProps) {
  switch (kind) {
    case 'text':
      return <TextSettings form={form} />;
    case 'number':
      return <NumberSettings form={form} />;
    case 'option':
      return (
        <OptionsInput
          value={form.values.options}
          onChange={(options) => form.set('options', options)}
          errorAt={form.errorAt}
        />
      );
    case 'list':
      return <ItemLimits form={form} />;
    case 'assets':
      return <AssetSettings form={form} />;
    case 'content_links':
    case 'blocks':
      return <AllowedTypes isForBlocks={kind === 'blocks'} types={types} form={form} />;
    default:
      return null;
  }
}

function TextSettings({ form }: { readonly form: Settings }) {
  const { values, set } = form;
  const labelId = useId();
  return (
    <Stack gap="md">
      <div>
        <Text id={labelId} fw={500} size="sm" mb={3}>
          {FIELD_TEXTS.format}
        </Text>
        <SegmentedControl
          aria-labelledby={labelId}
          size="xs"
          className={classes.formats}
          value={values.format}
          onChange={(format) => set('format', format)}
          data={[
            { value: 'plain', label: FIELD_TEXTS.formats.plain },
            { value: 'markdown', label: FIELD_TEXTS.formats.markdown },
            { value: 'html', label: FIELD_TEXTS.formats.html },
          ]}
        />
      </div>
      <CountPair
        form={form}
        least="min_length"
        most="max_length"
        labels={[FIELD_TEXTS.minLength, FIELD_TEXTS.maxLength]}
      />
    </Stack>
  );
}

function NumberSettings({ form: { values, set, errorOf } }: { readonly form: Settings }) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={2}>
        <NumberInput
          label={FIELD_TEXTS.min}
          value={values.min}
          onChange={(min) => set('min', min)}
          error={errorOf('min', FIELD_TEXTS.min)}
          hideControls
        />
        <NumberInput
          label={FIELD_TEXTS.max}
          value={values.max}
          onChange={(max) => set('max', max)}
          error={errorOf('max', FIELD_TEXTS.max)}
          hideControls
        />
      </SimpleGrid>
      <Checkbox
        label={FIELD_TEXTS.integer}
        checked={values.integer}
        onChange={(event) => set('integer', event.currentTarget.checked)}
      />
    </Stack>
  );
}

function AssetSettings({ form }: { readonly form: Settings }) {
  const { values, set, errorOf } = form;
  return (
    <Stack gap="md">
      <TagsInput
        label={FIELD_TEXTS.allowedKinds}
        description={FIELD_TEXTS.allowedKindsHelp}
        placeholder={values.allowed_kinds.length === 0 ? FIELD_TEXTS.anything : ''}
        data={['image/', 'video/', 'audio/', 'application/pdf']}
        value={[...values.allowed_kinds]}
        onChange={(kinds) => set('allowed_kinds', kinds)}
        error={errorOf('allowed_kinds', FIELD_TEXTS.allowedKinds)}
        acceptValueOnBlur
      />
      <ItemLimits form={form} />
    </Stack>
  );
}

interface AllowedTypesProps {
  readonly isForBlocks: boolean;
  readonly types: readonly ManagedTypeBody[];
  readonly form: Settings;
}

function AllowedTypes({ isForBlocks, types, form }: AllowedTypesProps) {
  const { values, set, errorOf } = form;
  const fitting = types.filter(({ object_type: kind }) => (kind === 'block') === isForBlocks);
  const known = new Set(fitting.map(({ handle }) => handle));
  // An import may have listed types that do not exist. They are kept until somebody removes them.
  const unknown = values.allowed_types.filter((handle) => !known.has(handle));
  const label = isForBlocks ? FIELD_TEXTS.allowedBlocks : FIELD_TEXTS.allowedLinks;
  const help = isForBlocks ? FIELD_TEXTS.allowedBlocksHelp : FIELD_TEXTS.allowedLinksHelp;
  return (
    <Stack gap="md">
      <MultiSelect
        label={label}
        description={isForBlocks && fitting.length === 0 ? FIELD_TEXTS.noBlocks : help}
        placeholder={values.allowed_types.length === 0 ? FIELD_TEXTS.anything : ''}
        data={[
          ...fitting.map(({ handle, name }) => ({ value: handle, label: name })),
          ...unknown.map((handle) => ({ value: handle, label: handle })),
        ]}
        value={[...values.allowed_types]}
        onChange={(handles) => set('allowed_types', handles)}
        error={errorOf('allowed_types', label)}
        hidePickedOptions
        searchable
      />
      <ItemLimits form={form} />
    </Stack>
  );
}

function ItemLimits({ form }: { readonly form: Settings }) {
  return (
    <CountPair form={form} least="min_items" most="max_items" labels={[FIELD_TEXTS.minItems, FIELD_TEXTS.maxItems]} />
  );
}

interface CountPairProps {
  readonly form: Settings;
  readonly least: 'min_length' | 'min_items';
  readonly most: 'max_length' | 'max_items';
  readonly labels: readonly [least: string, most: string];
}

function CountPair({ form: { values, set, errorOf }, least, most, labels }: CountPairProps) {
  return (
    <SimpleGrid cols={2}>
      {(
        [
          [least, labels[0]],
          [most, labels[1]],
        ] as const
      ).map(([name, label]) => (
        <NumberInput
          key={name}
          label={label}
          min={0}
          allowDecimal={false}
          value={values[name]}
          onChange={(count) => set(name, count)}
          error={errorOf(name, label)}
        />
      ))}
    </SimpleGrid>
  );
}
