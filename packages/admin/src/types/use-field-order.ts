// The order of fields is shown at once and saved behind it; where that fails, the order is again what it was.

import { arrayMove } from '@dnd-kit/sortable';
import type { ManagedTypeBody } from '@galley/wire';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { keepType, typeQuery } from '../content/type-queries.ts';

interface FieldOrder {
  readonly move: (from: number, to: number) => void;
  readonly error: Error | null;
}

export function useFieldOrder(site: string, type: ManagedTypeBody): FieldOrder {
  const queryClient = useQueryClient();
  const { queryKey } = typeQuery(site, type.handle);
  const work = useMutation({
    mutationFn: (next: ManagedTypeBody) =>
      readAnswer(
        api.PUT('/manage/v1/sites/{site}/types/{type}/field-order', {
          params: { path: { site, type: type.handle } },
          body: { fields: next.fields.map(({ id }) => id) },
        }),
      ),
    // One after the other, so that the last order is the one that stays.
    scope: { id: `field-order ${site} ${type.handle}` },
    onMutate: (next) => queryClient.setQueryData(queryKey, next),
    onSuccess: (_, next) => keepType(queryClient, site, queryClient.getQueryData(queryKey) ?? next),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  return {
    move: (from, to) => work.mutate({ ...type, fields: arrayMove([...type.fields], from, to) }),
    error: work.error,
  };
}
