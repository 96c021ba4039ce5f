import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

const KEY = ['sites', 's_one', 'content'];

/** A list on a server. Each response contains what the list contained when it was requested. */
function startServer() {
  let state = 'old';
  const responses: (() => void)[] = [];
  return {
    change: () => {
      state = 'new';
    },
    queryFn: () => {
      const asked = state;
      return new Promise<string>((resolve) => responses.push(() => resolve(asked)));
    },
    /** Sends the response to the oldest request that has none. */
    respond: () => responses.shift()?.(),
  };
}

function show(queryClient: QueryClient, { queryFn }: Pick<ReturnType<typeof startServer>, 'queryFn'>) {
  const observer = new QueryObserver(queryClient, { queryKey: KEY, queryFn });
  const hide = observer.subscribe(() => undefined);
  return { hide, read: () => observer.getCurrentResult().data };
}

test('a list that was requested before a change is requested again after the change', async () => {
  const queryClient = createQueryClient(() => undefined);
  const server = startServer();
  const list = show(queryClient, server);
  server.change();
  void queryClient.invalidateQueries({ queryKey: KEY });
  server.respond();
  await expect.poll(list.read).toBe('old');
  await expect.poll(() => queryClient.isFetching()).toBe(1);
  server.respond();
  await expect.poll(list.read).toBe('new');
  list.hide();
});

test('a list that the user left before its response arrived is requested again when the user returns', async () => {
  const queryClient = createQueryClient(() => undefined);
  const server = startServer();
  const list = show(queryClient, server);
  list.hide();
  server.change();
  await queryClient.invalidateQueries({ queryKey: ['sites'] });
  server.respond();
  await expect.poll(() => queryClient.getQueryData(KEY)).toBe('old');
  await expect.poll(() => queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
  const reopened = show(queryClient, server);
  server.respond();
  await expect.poll(reopened.read).toBe('new');
  reopened.hide();
});

test('queries with a different key are not requested again', async () => {
  const queryClient = createQueryClient(() => undefined);
  const server = startServer();
  const list = show(queryClient, server);
  await queryClient.invalidateQueries({ queryKey: ['users'] });
  server.respond();
  await expect.poll(list.read).toBe('old');
  expect(queryClient.isFetching()).toBe(0);
  list.hide();
});
