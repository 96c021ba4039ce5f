import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { shortenLists } from './endless-query.ts';

test.each([
  [2, 2],
  [20, 20],
  [25, 20],
])('a reopened list of %d pages keeps %d of them and is marked for reloading', async (loaded, kept) => {
  const queryClient = new QueryClient();
  const queryKey = ['list'];
  const pages = Array.from({ length: loaded }, (_, page) => ({ data: [{ id: `c_${page}` }] }));
  const pageParams = pages.map((_, page) => `${page}`);
  queryClient.setQueryData(queryKey, { pages, pageParams });
  await queryClient.invalidateQueries({ queryKey });
  shortenLists(queryClient, queryKey);
  const state = queryClient.getQueryState(queryKey);
  expect(state?.data).toEqual({ pages: pages.slice(0, kept), pageParams: pageParams.slice(0, kept) });
  expect(state?.isInvalidated).toBe(true);
});
