import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { dropBlocks, findBlocks } from '../../content/placed-values.ts';
import { countContentOfType, deleteContentType } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { openReader, type Reader } from '../reader.ts';
import { dropValues } from './drop-values.ts';
import { findType } from './find-type.ts';
import { locateBlocks } from './locate-values.ts';
import { walkHolders } from './walk-saved.ts';

/**
 * Only what nothing uses can go. Blocks in versions that nobody sees any more go with their type. Uses are counted before
 * the transaction, which others wait for.
 */
export async function deleteType(desk: Desk, actor: Actor, siteId: string, typeName: string): Promise<void> {
  const reader = openReader(desk, actor);
  const asked = await findCatalog(reader, siteId);
  const askedType = findType(asked, typeName);
  await desk.precondition?.(reader);
  refuseUsed(asked, askedType, await countUses(reader, asked, askedType));
  await work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    refuseUsed(catalog, type, await job.run(countContentOfType(type.no)));
    if (type.objectType === 'block') await dropUnseenBlocks(job, catalog, type);
    await job.run(deleteContentType(type.no, job.now));
    const subject = { subjectId: type.id, subjectName: type.name };
    await job.note({ action: 'type.delete', siteId, ...subject, details: { handle: type.handle } });
  });
  await desk.storage.eraseTraces();
}

async function countUses(reader: Reader, catalog: Catalog, type: ContentType): Promise<number> {
  if (type.objectType !== 'block') return reader.run(countContentOfType(type.no));
  let count = 0;
  for await (const versions of walkHolders(reader.run, locateBlocks(catalog, type))) {
    if (versions.some(({ fields }) => findBlocks(fields, type.handle).length > 0)) count += 1;
  }
  return count;
}

/** @param contents how many objects are of the type, or have blocks of it */
function refuseUsed(catalog: Catalog, type: ContentType, contents: number): void {
  const allowedBy = listFieldsThatAllow(catalog, type);
  if (contents === 0 && allowedBy.length === 0) return;
  const objects = contents === 1 ? 'content object' : 'content objects';
  const use = type.objectType === 'block' ? `${objects} with such blocks` : `${objects} of this type`;
  const naming = allowedBy.length === 0 ? '' : `, allowed_types of ${allowedBy.join(', ')}`;
  throw new AuthoringRefusal(`The content type ${type.handle} is in use: ${contents} ${use}${naming}.`, {
    reason: 'conflict',
    details: { contents, allowed_by: allowedBy },
  });
}

/** As `type.field`; its own fields go with it. */
function listFieldsThatAllow({ types }: Catalog, type: ContentType): readonly string[] {
  return types
    .filter((other) => other.no !== type.no)
    .flatMap((other) =>
      other.fields
        .filter(({ settings }) => settings.allowed_types?.includes(type.handle))
        .map((field) => `${other.handle}.${field.handle}`),
    );
}

/** Content that was saved since the counting is not robbed of its blocks. */
function dropUnseenBlocks(job: Job, catalog: Catalog, type: ContentType): Promise<void> {
  return dropValues(job, catalog, locateBlocks(catalog, type), ({ fields, standing }) => {
    if (standing !== null && findBlocks(fields, type.handle).length > 0) refuseUsed(catalog, type, 1);
    return dropBlocks(fields, type.handle);
  });
}
