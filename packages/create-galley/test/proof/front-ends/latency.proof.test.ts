// How soon the built front ends show changes: those of the form beside the page, and those that Galley reports to a webhook.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../../server/test/browser/launch-browser.ts';
import { reportProof } from '../../../../server/test/oracle/proof.ts';
import { useSharedResource } from '../../../../server/test/support/shared-resources.ts';
import { type PanelStandIn, sendToFrame, showInPanel, startPanelStandIn } from '../../browser/panel-stand-in.ts';
import { buildUpdate, changeParts, PAPER, type Paper, readDraft } from '../../browser/paper-weight.ts';
import { type BuiltFrontEnd, startBuiltFrontEnd } from '../../packaging/built-front-end.ts';
import { installCreator } from '../../packaging/packed-creator.ts';
import { readSecret } from '../../packaging/project-editor.ts';

const ROUNDS = 15;
const MOST_UPDATE_MS = 150;
const MOST_PUBLICATION_MS = 2_000;

describe.each(['next', 'astro'] as const)('%s', (template) => {
  let site: BuiltFrontEnd;
  let panelStandIn: PanelStandIn;

  beforeAll(async () => {
    panelStandIn = await startPanelStandIn();
    const creator = await installCreator(await useSharedResource('packages'));
    site = await startBuiltFrontEnd(creator, template, panelStandIn.url);
  });

  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
    await panelStandIn?.[Symbol.asyncDispose]();
  });

  test('shows nine out of ten changes to the name, a nested block, a picture and linked content within 150 ms', async () => {
    await using browser = await launchBrowser();
    const panel = await browser.newPage();
    const secret = await readSecret(site);
    await showInPanel(panel, panelStandIn.url, site.buildDraftUrl(secret, PAPER));
    const paper = await readDraft<Paper>(site, secret, PAPER);
    const delays: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const text = `Round ${round}`;
      for (const changed of [{ ...paper, name: text }, ...changeParts(paper, text)]) {
        delays.push(await sendToFrame(panel, buildUpdate(changed)));
      }
    }
    expect(report(`${template}, updates`, delays).ninth).toBeLessThan(MOST_UPDATE_MS);
  });

  if (template === 'next') {
    test('shows changes within two seconds of publication', async () => {
      await site.connectWebhook(`${site.siteUrl}/api/webhook`);
      await site.serve();
      const delays: number[] = [];

      /** Makes a change, and waits until the page has this status and text. */
      async function changePage(path: string, status: number, text: string, change: () => Promise<void>) {
        const read = async () => {
          const page = await site.get(path);
          return { status: page.status, hasText: (await page.text()).includes(text) };
        };
        await read();
        const start = performance.now();
        await change();
        await expect.poll(read, { interval: 20 }).toEqual({ status, hasText: true });
        delays.push(performance.now() - start);
      }

      const publish = (values: object) => () => site.editor.publish('c_ferry_library', values);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const slug = `ferry-${round}`;
        const path = `/articles/${slug}`;
        await changePage(path, 200, '', publish({ slug }));
        await changePage(path, 200, `<h1>Round ${round}</h1>`, publish({ name: `Round ${round}` }));
        await changePage(path, 404, '', () => site.editor.unpublish('c_ferry_library'));
        await changePage(path, 200, '', publish({}));
      }
      expect(report('Publications', delays).most).toBeLessThan(MOST_PUBLICATION_MS);
    });
  }
});

interface Delays {
  readonly ninth: number;
  readonly most: number;
}

function report(what: string, delays: readonly number[]): Delays {
  const sorted = delays.toSorted((one, other) => one - other);
  const [median = Number.NaN, ninth = Number.NaN] = [0.5, 0.9].map(
    (share) => sorted[Math.floor(sorted.length * share)],
  );
  const most = sorted.at(-1) ?? Number.NaN;
  reportProof(
    `${what}: median ${median.toFixed(0)} ms, nine out of ten within ${ninth.toFixed(0)} ms, all ${delays.length} within ${most.toFixed(0)} ms`,
  );
  return { ninth, most };
}
