// Measures the CPU time that typing costs in a form with a long list, compared with a short form.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../../server/test/conformance/records.ts';
import { reportProof } from '../../../../server/test/oracle/proof.ts';
import { createOwner, type Panel, startPanel } from '../../browser/panel.ts';

const SITE = 's_inputs';
const MOST_TIMES_SLOWER = 4;

let panel: Panel;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    site(SITE),
    contentType(SITE, 'post', [{ handle: 'points', name: 'Points', type: 'list' }]),
    ...[1, 200].map((length) =>
      content({
        id: `c_${length}`,
        site: SITE,
        content_type: 'post',
        slug: `points-${length}`,
        status: 'draft',
        fields: { points: { list: Array.from({ length }, (_, index) => `Point ${index}`) } },
      }),
    ),
  ]);
});

afterAll(() => panel.close());

test('typing stays fast in a form with a long list', async () => {
  const short = await measureTyping('c_1');
  const long = await measureTyping('c_200');
  reportProof(`typing a name: ${toMs(short)} with 1 item, ${toMs(long)} with 200 items`);
  expect(long).toBeLessThan(MOST_TIMES_SLOWER * short);
});

/** The CPU time in seconds that a page uses while somebody is typing a content object's name. */
async function measureTyping(id: string): Promise<number> {
  const page = await panel.openAs(`/sites/${SITE}/content/${id}`);
  await page.getByLabel('Name').click();
  await page.keyboard.type('warm up');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readSpent = async (): Promise<number> => {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await readSpent();
  await page.keyboard.type('a name of thirty characters xx');
  const spent = (await readSpent()) - before;
  await page.context().close();
  return spent;
}

function toMs(seconds: number): string {
  return `${(1000 * seconds).toFixed(0)} ms`;
}
