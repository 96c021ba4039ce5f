import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';
import { keepType, typeQuery } from '../content/type-queries.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { FormMessage } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import {
  buildFieldBody,
  createFieldDraft,
  type DraftKeeper,
  type FieldDraft,
  NEW_FIELD,
  sketchField,
} from './field-draft.ts';
import type { FieldKind } from './field-kinds.tsx';
import { FieldSettings } from './field-settings.tsx';
import { followName } from './suggest-handle.ts';
import classes from './type-fields.module.css';

/** A field of a type, or a field that is being added. */
interface FieldPlace {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly kind: FieldKind;
  /** Undefined for a new field. */
  readonly field: ManagedFieldBody | undefined;
}

interface FieldFormProps {
  readonly place: FieldPlace;
  readonly types: readonly ManagedTypeBody[];
  /** Called on every change, to update the preview. */
  readonly keepDraft: DraftKeeper;
  readonly onClose: () => void;
  /** Shown in the row of buttons, at the opposite end. */
  readonly children?: ReactNode;
}

export function FieldForm({ place, types, keepDraft, onClose, children }: FieldFormProps) {
  const { site, type, kind, field } = place;
  const queryClient = useQueryClient();
  const [loss, setLoss] = useState<{
    readonly draft: FieldDraft;
    readonly initial: FieldDraft;
    readonly text: string;
  }>();
  const keep = async (saved: ManagedFieldBody): Promise<void> => {
    await keepFields(queryClient, site, type, (fields) =>
      field === undefined ? [...fields, saved] : fields.map((each) => (each.id === saved.id ? saved : each)),
    );
    onClose();
  };
  const form = useApiForm({
    initial: useState(() => createFieldDraft(field))[0],
    submit: async (draft: FieldDraft, initial: FieldDraft) => {
      try {
        return await saveField(place, draft, initial, false);
      } catch (error) {
        if (!isConflict(error) || error.details.confirm === undefined) throw error;
        setLoss({ draft, initial, text: describeLostOptions(error.details, field) });
        throw new Error(FIELD_TEXTS.lossRefused, { cause: error });
      }
    },
    onDone: keep,
  });
  const { values, set, textOf, errorOf, isChanged } = form;
  const key = field?.id ?? NEW_FIELD;
  useEffect(() => {
    keepDraft(key, { field: sketchField(key, kind, values), isChanged });
    return () => keepDraft(key, undefined);
  }, [keepDraft, key, kind, values, isChanged]);
  return (
    <form
      {...form.form}
      className={classes.form}
      aria-label={field?.name ?? FIELD_TEXTS.newOf(FIELD_TEXTS.kinds[kind])}
    >
      <Stack gap="md">
        <FormMessage message={form.message} />
        <SimpleGrid cols={{ base: 1, xs: field === undefined ? 2 : 1 }}>
          <TextInput
            label={FIELD_TEXTS.name}
            autoFocus
            value={values.name}
            onChange={({ currentTarget: { value } }) => {
              if (field === undefined) set('handle', followName(values, value));
              set('name', value);
            }}
            error={errorOf('name', FIELD_TEXTS.name)}
          />
          {field === undefined && (
            <TextInput
              description={FIELD_TEXTS.handleHelp}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...textOf('handle', FIELD_TEXTS.handle)}
            />
          )}
        </SimpleGrid>
        <TextInput
          description={FIELD_TEXTS.helpTextHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...textOf('help_text', FIELD_TEXTS.helpText)}
        />
        <FieldSettings kind={kind} types={types} form={form} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Checkbox
            label={FIELD_TEXTS.required}
            description={FIELD_TEXTS.requiredHelp}
            checked={values.required}
            onChange={(event) => set('required', event.currentTarget.checked)}
            error={errorOf('required', FIELD_TEXTS.required)}
          />
          <Checkbox
            label={FIELD_TEXTS.hidden}
            description={FIELD_TEXTS.hiddenHelp}
            checked={values.hidden}
            onChange={(event) => set('hidden', event.currentTarget.checked)}
            error={errorOf('hidden', FIELD_TEXTS.hidden)}
          />
        </SimpleGrid>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button type="submit" loading={form.isPending}>
              {field === undefined ? FIELD_TEXTS.create : FIELD_TEXTS.save}
            </Button>
            <Button variant="default" onClick={onClose}>
              {SHELL_TEXTS.cancel}
            </Button>
          </Group>
          {children}
        </Group>
      </Stack>
      <ConfirmDialog
        isOpen={loss !== undefined}
        title={FIELD_TEXTS.lossTitle}
        text={loss?.text ?? ''}
        confirmLabel={FIELD_TEXTS.lossConfirm}
        onConfirm={async () => loss !== undefined && keep(await saveField(place, loss.draft, loss.initial, true))}
        onClose={() => setLoss(undefined)}
      />
    </form>
  );
}

/**
 * @param initial the values that the form started with; for an existing field, only the differences are sent
 * @param isSure whether to remove options that content uses
 */
function saveField(
  { site, type, kind, field }: FieldPlace,
  draft: FieldDraft,
  initial: FieldDraft,
  isSure: boolean,
): Promise<ManagedFieldBody> {
  const body = buildFieldBody(kind, draft);
  const path = { site, type: type.handle };
  if (field === undefined) {
    return readAnswer(api.POST('/manage/v1/sites/{site}/types/{type}/fields', { params: { path }, body }));
  }
  return readAnswer(
    api.PATCH('/manage/v1/sites/{site}/types/{type}/fields/{field}', {
      params: { path: { ...path, field: field.handle }, query: isSure ? { confirm: field.handle } : {} },
      body: pickChanged(body, buildFieldBody(kind, initial)),
    }),
  );
}

interface LostOption {
  readonly value: string;
  readonly contents: number;
}

/** @param details from the API's refusal to remove options that content uses */
function describeLostOptions(details: Readonly<Record<string, unknown>>, field: ManagedFieldBody | undefined): string {
  const lost = Array.isArray(details.options) ? details.options.filter(isLostOption) : [];
  const labels = new Map(field?.options?.map(({ label, value }) => [value, label]));
  return FIELD_TEXTS.lossText(
    lost.map(({ value, contents }) => FIELD_TEXTS.lossOf(labels.get(value) ?? value, contents)),
  );
}

function isLostOption(option: unknown): option is LostOption {
  return (
    typeof option === 'object' &&
    option !== null &&
    'value' in option &&
    typeof option.value === 'string' &&
    'contents' in option &&
    typeof option.contents === 'number'
  );
}

/** Called after a type's fields have changed: updates the type. */
export async function keepFields(
  queryClient: QueryClient,
  site: string,
  type: ManagedTypeBody,
  change: (fields: readonly ManagedFieldBody[]) => readonly ManagedFieldBody[],
): Promise<void> {
  const known = queryClient.getQueryData(typeQuery(site, type.handle).queryKey) ?? type;
  await keepType(queryClient, site, { ...known, fields: change(known.fields) });
}
