import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareBrowser } from './launch-browser.ts';

const servers: Server[] = [];
let page: string;
let neighbour: string;

beforeAll(async () => {
  [page, neighbour] = await Promise.all([serveText('a page'), serveText('a secret from another origin')]);
});

afterAll(() => {
  for (const server of servers) server.close();
});

test('the test browser enforces the same-origin policy', async () => {
  await using browser = await shareBrowser();
  const tab = await browser.newPage();
  await tab.goto(page);
  const read = (url: string): Promise<string> =>
    tab.evaluate(`fetch('${url}').then((answer) => answer.text(), (error) => String(error))`);
  expect(await read(page)).toBe('a page');
  expect(await read(neighbour)).toBe('TypeError: Failed to fetch');
});

async function serveText(text: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('connection', 'close').end(text));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}/`;
}
