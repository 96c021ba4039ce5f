import type { ManagedContentBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { contentQuery } from './content-queries.ts';

/** After a change of content: it is known already; lists and whatever else tells of content are asked for again. */
export async function keepContent(queryClient: QueryClient, site: string, content: ManagedContentBody): Promise<void> {
  const { queryKey } = contentQuery(site, content.id);
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, content);
  await queryClient.invalidateQueries({
    queryKey: ['sites', site, 'content'],
    predicate: (query) => query.queryKey[3] !== 'object',
  });
}
