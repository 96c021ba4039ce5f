import type { QueryClient } from '@tanstack/react-query';
import { isConflict } from '../api/api-error.ts';
import { contentQuery } from './content-queries.ts';

/** Does what is meant for the version that is known. Where somebody has saved another one, that is read, for the next try. */
export async function doForNewest<Outcome>(
  queryClient: QueryClient,
  site: string,
  id: string,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: contentQuery(site, id).queryKey });
    throw error;
  }
}
