import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { measureNumberedPages } from './measure-numbered-pages.ts';

/** Aborts the first request for the last page of each list, and responds to all others. */
async function startService(pages: number) {
  const visited = new Set<string>();
  const visits: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const list = url.replace(/n=\d+$/, '');
    const isAborted = list.includes(`page=${pages}&`) && !visited.has(list);
    visited.add(list);
    visits.push(list);
    response.writeHead(isAborted ? 503 : 200).end(JSON.stringify({ total: pages * 20 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { reader: { origin: `http://127.0.0.1:${port}`, headers: {} }, server, visits };
}

test('repeats and counts the first request for a distant page if the service aborts it', async () => {
  const { reader, server, visits } = await startService(9);
  try {
    const situation = { suffix: '', headers: {}, query: '', sorts: [], kinds: [], numberedKinds: [], reader };
    const kind = { name: 'author', queries: { common: 'author=u_1' } };
    const [measured] = await measureNumberedPages(situation, kind, 2);
    expect(measured?.firstPage.gaveUp).toBe(0);
    expect(measured?.distantPages.map(({ place, gaveUp }) => [place, gaveUp])).toEqual([
      ['middle page', 0],
      ['last page', 1],
    ]);
    // The aborted visit, its retry, and two visits that are timed.
    const [first = ''] = visits.filter((list) => list.includes('page=9&'));
    expect(visits.filter((list) => list === first)).toHaveLength(4);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
