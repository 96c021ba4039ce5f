import type { ManagedContentBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { contentQuery } from '../editor/content-queries.ts';

/** After a change of content: it is known already, lists and other content that show it are asked for again. */
export async function keepContent(queryClient: QueryClient, site: string, content: ManagedContentBody): Promise<void> {
  const { queryKey } = contentQuery(site, content.id);
  queryClient.setQueryData(queryKey, content);
  await queryClient.invalidateQueries({
    queryKey: ['sites', site, 'content'],
    predicate: ({ queryKey: key }) => !queryKey.every((part, index) => part === key[index]),
  });
}
