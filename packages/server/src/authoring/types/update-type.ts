import type { ContentType } from '../../content/field.ts';
import { updateContentType } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { findType } from './find-type.ts';
import { findFixedFaults } from './refuse-fixed.ts';

export interface TypeChange {
  readonly name?: string | undefined;
  /** For content that is saved or published from now on; what is published keeps its uri. */
  readonly uri_pattern?: string | undefined;
  /** These two are fixed; they may be said again. */
  readonly handle?: string | undefined;
  readonly object_type?: string | undefined;
}

export function updateType(
  desk: Desk,
  actor: Actor,
  siteId: string,
  typeName: string,
  change: TypeChange,
): Promise<ContentType> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    const faults = findFixedFaults({ ...change }, { handle: type.handle, object_type: type.objectType });
    if (faults.length > 0) throw refuseFaults(faults);
    const changed = { ...type, name: change.name ?? type.name, uriPattern: change.uri_pattern ?? type.uriPattern };
    if (changed.name === type.name && changed.uriPattern === type.uriPattern) return type;
    await job.run(updateContentType(type.no, changed, job.now));
    const before = { name: type.name, uri_pattern: type.uriPattern };
    const subject = { subjectId: type.id, subjectName: changed.name };
    await job.note({ action: 'type.update', siteId, ...subject, details: { handle: type.handle, before } });
    return changed;
  });
}
