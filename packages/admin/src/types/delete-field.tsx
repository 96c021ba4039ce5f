// Deletes a field. The confirmation shows how many content objects have a value for it, as reported by the API.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import { keepFields } from './field-form.tsx';

interface DeleteFieldProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly field: ManagedFieldBody;
  readonly onDeleted: () => void;
}

export function DeleteField({ site, type, field, onDeleted }: DeleteFieldProps) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const count = useMutation({
    mutationFn: () => countFieldUses(site, type, field),
    onSuccess: () => setIsOpen(true),
    onError: (error) => showToast({ isError: true, text: describeError(error) }),
  });
  const contents = count.data ?? 0;
  const remove = async (): Promise<void> => {
    await deleteField(site, type, field, { confirm: field.handle });
    showToast({ text: FIELD_TEXTS.removed(field.name) });
    await keepFields(queryClient, site, type, (fields) => fields.filter(({ id }) => id !== field.id));
    onDeleted();
  };
  return (
    <>
      <Button variant="subtle" color="red" loading={count.isPending} onClick={() => count.mutate()}>
        {FIELD_TEXTS.remove}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={FIELD_TEXTS.removeTitle(field.name)}
        text={FIELD_TEXTS.removeText(field.name, contents)}
        confirmLabel={FIELD_TEXTS.removeValues(contents)}
        onConfirm={remove}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

/**
 * The API refuses to delete a field without confirmation, and its response contains the number of objects that have a value in the field.
 */
async function countFieldUses(site: string, type: ManagedTypeBody, field: ManagedFieldBody): Promise<number> {
  try {
    await deleteField(site, type, field, {});
  } catch (error) {
    if (isConflict(error) && typeof error.details.contents_with_value === 'number') {
      return error.details.contents_with_value;
    }
    throw error;
  }
  throw new Error('The field was deleted without confirmation.');
}

async function deleteField(
  site: string,
  type: ManagedTypeBody,
  { handle }: ManagedFieldBody,
  query: { readonly confirm?: string },
): Promise<void> {
  const path = { site, type: type.handle, field: handle };
  await readAnswer(api.DELETE('/manage/v1/sites/{site}/types/{type}/fields/{field}', { params: { path, query } }));
}
