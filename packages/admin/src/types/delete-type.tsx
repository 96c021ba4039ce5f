// Deletes a type that nothing uses. Where something does, the dialog says what, by the names that people gave.

import type { ManagedTypeBody } from '@galley/wire';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { type ApiError, isConflict } from '../api/api-error.ts';
import { typeQuery, typesQuery } from '../content/type-queries.ts';
import { DeleteCard } from '../elements/delete-card.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

interface DeleteTypeProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
}

export function DeleteType({ site, type }: DeleteTypeProps) {
  const { data: types } = useSuspenseQuery(typesQuery(site));
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
    showToast({ text: TYPE_TEXTS.removed(type.name) });
  };
  return (
    <DeleteCard
      label={TYPE_TEXTS.remove}
      intro={TYPE_TEXTS.removeIntro}
      question={TYPE_TEXTS.removeTitle(type.name)}
      warning={TYPE_TEXTS.removeText}
      onDelete={remove}
    />
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
