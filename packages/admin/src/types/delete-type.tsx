// Deletes a type that nothing uses. Where something does, the dialog says what, by the names that people gave.

import type { ManagedTypeBody } from '@galley/wire';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { type ApiError, isConflict } from '../api/api-error.ts';
import { typesQuery } from '../editor/content-queries.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { typeQuery } from './type-queries.ts';

interface DeleteTypeProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
}

export function DeleteType({ site, type }: DeleteTypeProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const {
    data: { data: types },
  } = useSuspenseQuery(typesQuery(site));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await readAnswer(
        api.DELETE('/manage/v1/sites/{site}/types/{type}', { params: { path: { site, type: type.handle } } }),
      );
    } catch (error) {
      throw isConflict(error) ? new Error(describeUses(error, type, types), { cause: error }) : error;
    }
    await navigate({ to: '/sites/$site/types', params: { site }, ignoreBlocker: true });
    // Not while the page that is left still shows it: it would be asked for again.
    queryClient.removeQueries({ queryKey: typeQuery(site, type.handle).queryKey, type: 'inactive' });
    await queryClient.invalidateQueries({ queryKey: typesQuery(site).queryKey, exact: true });
    notifications.show({ message: TYPE_TEXTS.removed(type.name) });
  };
  return (
    <>
      <Button variant="light" color="red" onClick={open} style={{ alignSelf: 'flex-start' }}>
        {TYPE_TEXTS.remove}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={TYPE_TEXTS.removeTitle(type.name)}
        text={TYPE_TEXTS.removeText}
        confirmLabel={TYPE_TEXTS.remove}
        onConfirm={remove}
        onClose={close}
      />
    </>
  );
}

function describeUses({ details }: ApiError, type: ManagedTypeBody, types: readonly ManagedTypeBody[]): string {
  const contents = typeof details.contents === 'number' ? details.contents : 0;
  const count = type.object_type === 'block' ? TYPE_TEXTS.usedInContent : TYPE_TEXTS.usedByContent;
  const places = Array.isArray(details.allowed_by) ? details.allowed_by.map(String) : [];
  const uses = [...(contents === 0 ? [] : [count(contents)]), ...places.map((place) => describePlace(place, types))];
  return TYPE_TEXTS.inUse(type.name, uses);
}

/** @param place as `article.related` */
function describePlace(place: string, types: readonly ManagedTypeBody[]): string {
  const [typeHandle = '', fieldHandle = ''] = place.split('.');
  const type = types.find(({ handle }) => handle === typeHandle);
  const field = type?.fields.find(({ handle }) => handle === fieldHandle);
  return TYPE_TEXTS.usedByField(field?.name ?? fieldHandle, type?.name ?? typeHandle);
}
