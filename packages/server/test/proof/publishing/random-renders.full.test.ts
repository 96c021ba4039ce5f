// Unsaved random values are rendered exactly as a preview shows them after a save. The clock stands still, so that a rendering and a save
// have the same time.

import { expect, test } from 'vitest';
import { type Manager, startManager } from '../../management/manager.ts';
import { chance, type Draw, pick, runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { drawValues } from '../../oracle/random-fields.ts';
import { drawBundle, type RandomSite } from '../../oracle/random-site.ts';
import { drawName } from '../../oracle/random-text.ts';
import { ENGINES } from '../../support/test-database.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each(ENGINES)('random values are rendered exactly as a preview shows them after a save, on %s', async (engine) => {
  const manager = await startManager({}, { engine, now: () => NOW });
  let compared = 0;
  try {
    for (const seed of seeds(proofSize(2, 40))) {
      await runSeeded(seed, async (draw) => {
        const { sites, records } = drawBundle(draw, `r${seed}`);
        await manager.service.importRecords(records);
        for (const site of sites) compared += await compareSite(manager, draw, site);
      });
    }
  } finally {
    await manager.close();
  }
  expect(compared).toBeGreaterThan(0);
  reportProof(`${compared} renderings equal the preview after a save, on ${engine}`);
});

/** Returns the number of renderings that were compared. */
async function compareSite(
  manager: Manager,
  draw: Draw,
  { site, types, authors, contents, records }: RandomSite,
): Promise<number> {
  const around = {
    contents: contents.map(({ id }) => id),
    assets: records.flatMap((record) => (record.kind === 'asset' ? [record.id] : [])),
    blockTypes: records.flatMap((record) =>
      record.kind === 'content_type' && record.object_type === 'block' ? [record] : [],
    ),
  };
  let compared = 0;
  for (const { id, content_type, status } of contents) {
    const type = types.find(({ handle }) => handle === content_type);
    if (type === undefined || status === 'archived') continue;
    const path = `/sites/${site.id}/content/${id}`;
    const { version } = await manager.expectOk<{ version: number }>('GET', path);
    const changes = {
      ...(chance(draw, 60) && { name: drawName(draw) }),
      ...(chance(draw, 40) && { slug: null }),
      ...(chance(draw, 40) && { author: chance(draw, 50) ? null : pick(draw, authors).id }),
      ...(chance(draw, 30) && { seo: { title: drawName(draw), open_graph: { title: drawName(draw) } } }),
      ...(chance(draw, 80) && { fields: drawValues(draw, type, around) }),
    };
    const rendered = await manager.expectOk('POST', `${path}/render`, changes);
    await manager.expectOk('PUT', path, { version, ...changes });
    expect(JSON.stringify(rendered), JSON.stringify({ path, changes })).toBe(await readPreview(manager, site.id, id));
    compared += 1;
  }
  return compared;
}

async function readPreview(manager: Manager, siteId: string, id: string): Promise<string> {
  const { status, body } = await manager.read(siteId, `/${id}`, { 'x-service-preview': 'true' });
  expect(status).toBe(200);
  return JSON.stringify(body);
}
