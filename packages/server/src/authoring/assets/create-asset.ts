import { completeAsset } from '../../content/asset-definition.ts';
import { findMismatches } from '../../content/find-data-faults.ts';
import { buildId } from '../../content/ids.ts';
import { selectAsset, writeAsset } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import { findAddressFaults } from './find-address-faults.ts';

/** What is null follows from the rest. */
export interface AssetRequest {
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly path: string | null;
  readonly url: string;
  readonly extension: string | null;
  readonly size: number | null;
  readonly mime_type: string | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** Readers see nothing of it until content shows the asset. */
export function createAsset(desk: Desk, actor: Actor, siteId: string, request: AssetRequest): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const id = request.id ?? buildId('asset', job.newUuid());
    const { mime_type: mimeType, ...asset } = completeAsset({ ...request, id });
    const faults = [...findAddressFaults('url', asset.url), ...findMismatches(request)];
    if (faults.length > 0) throw refuseFaults(faults);
    if ((await job.run(selectAsset(site.no, id))) !== undefined) {
      throw new AuthoringRefusal(`There is an asset ${id} already.`, { reason: 'conflict' });
    }
    await job.run(writeAsset(site.no, { ...asset, mimeType }, job.now));
    await job.note({ action: 'asset.create', siteId, subjectId: id, subjectName: request.name });
    return id;
  });
}
