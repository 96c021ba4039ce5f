// How long it takes to render an unsaved article, as the preview does while somebody types: each rendering has new text in one block.

import { expect, test } from 'vitest';
import { openContentDesk, SITE } from '../../management/content-desk.ts';
import { startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';

const MOST_MS = 50;
const BLOCKS = 200;
/** The first renderings compile the code, and are not measured. */
const WARM_UP = 20;
const ROUNDS = 41;

test('an article with 200 blocks is rendered within 50 ms', async () => {
  const manager = await startManager();
  try {
    const desk = await openContentDesk(manager);
    const { id } = await desk.create();
    const url = `${manager.service.url}/manage/v1/sites/${SITE}/content/${id}`;
    const headers = { authorization: `Bearer ${manager.owner}`, 'content-type': 'application/json' };
    for (const path of ['render', 'render?marks=true']) {
      const times: number[] = [];
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        const body = buildArticle(round);
        const start = performance.now();
        const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
        await response.arrayBuffer();
        if (round >= WARM_UP) times.push(performance.now() - start);
        expect(response.status).toBe(200);
      }
      const median = times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
      reportProof(`${path} of ${BLOCKS} blocks: median ${median.toFixed(1)} ms`);
      expect(median, path).toBeLessThan(MOST_MS);
    }
  } finally {
    await manager.close();
  }
});

function buildArticle(round: number): string {
  const blocks = Array.from({ length: BLOCKS }, (_, index) => ({
    content_type: 'card',
    name: null,
    fields: {
      title: { text: `Block ${index}` },
      body: {
        text: `<p>${`Paragraph ${index === 7 ? round : index} with <b>bold</b> text. `.repeat(10)}</p>`,
      },
    },
  }));
  return JSON.stringify({ fields: { title: { text: 'Long' }, parts: { blocks } } });
}
