import { setImmediate as giveWay } from 'node:timers/promises';
import type { Catalog } from '../../content/catalog.ts';
import { collectReferences } from '../../content/field-value.ts';
import { type AssetHits, deleteAsset as deleteAssetRow, selectAssetHits, type Uses } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { refuseInUse, USES_SHOWN } from '../uses-refusal.ts';
import { findAsset } from './find-asset.ts';

/** Refused while the newest or the published version of any content shows the asset. Older versions show it no longer. */
export function deleteAsset(desk: Desk, actor: Actor, siteId: string, assetId: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const siteNo = catalog.site.no;
    const asset = await findAsset(job, siteNo, assetId);
    const uses = await findUses(job, catalog, assetId);
    if (uses.total > 0) throw refuseInUse(`The asset ${assetId}`, uses);
    await job.run(deleteAssetRow(asset.no));
    await job.note({ action: 'asset.delete', siteId, subjectId: assetId, subjectName: asset.name });
  });
}

/** Looks through all content of the site, and lets requests be answered in between. */
async function findUses(job: Job, catalog: Catalog, assetId: string): Promise<Uses> {
  const found = new Map<string, string>();
  let after: string | null = '';
  while (after !== null) {
    const { hits, next }: AssetHits = await job.run(selectAssetHits(catalog.site.no, assetId, after));
    for (const { id, name, typeNo, fields } of hits) {
      const type = catalog.typesByNo.get(typeNo);
      if (type === undefined) throw new Error(`Content ${id} has a type that its site does not have`);
      if (collectReferences(type, fields, catalog.typesByHandle).assets.includes(assetId)) found.set(id, name);
    }
    after = next;
    await giveWay();
  }
  const contents = [...found].slice(0, USES_SHOWN).map(([id, name]) => ({ id, name }));
  return { total: found.size, contents };
}
