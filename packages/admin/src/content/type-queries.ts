import type { ManagedTypeBody, ManagedTypeListBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

/** All of a site's content types and their fields, including blocks. */
export function typesQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'types'],
    queryFn: (): Promise<ManagedTypeListBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/types', { params: { path: { site } } })),
    select: ({ data }) => data,
  });
}

/** The types that content can have. Block types are excluded, because blocks exist only inside other content. */
export function contentTypesQuery(site: string) {
  return { ...typesQuery(site), select: leaveBlocksOut };
}

function leaveBlocksOut({ data }: ManagedTypeListBody): readonly ManagedTypeBody[] {
  return data.filter(({ object_type: kind }) => kind !== 'block');
}

/** @param type the type's handle */
export function typeQuery(site: string, type: string) {
  return queryOptions({
    queryKey: ['sites', site, 'types', type],
    queryFn: (): Promise<ManagedTypeBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/types/{type}', { params: { path: { site, type } } })),
  });
}

/** Called after a change: updates the type in the cache and reloads the list of types. */
export async function keepType(queryClient: QueryClient, site: string, type: ManagedTypeBody): Promise<void> {
  queryClient.setQueryData(typeQuery(site, type.handle).queryKey, type);
  await queryClient.invalidateQueries({ queryKey: typesQuery(site).queryKey, exact: true });
}
