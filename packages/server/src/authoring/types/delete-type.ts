import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { dropBlocks, findBlocks } from '../../content/placed-values.ts';
import { countContentOfType, deleteContentType, moveGeneration } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findCatalog } from '../find-site.ts';
import { dropValues } from './drop-values.ts';
import { findType } from './find-type.ts';
import { locateBlocks } from './locate-values.ts';
import { walkSaved } from './walk-saved.ts';

/** Only what nothing uses can go. Blocks in versions that nobody sees any more go with their type. */
export function deleteType(desk: Desk, actor: Actor, siteId: string, typeName: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = findType(catalog, typeName);
    await refuseInUse(job, catalog, type);
    if (type.objectType === 'block') {
      await dropValues(job, catalog, locateBlocks(catalog, type), (values) => dropBlocks(values, type.handle));
    }
    await job.run(deleteContentType(type.no));
    await job.run(moveGeneration(catalog.site.no, true, job.now));
    const subject = { subjectId: type.id, subjectName: type.name };
    await job.note({ action: 'type.delete', siteId, ...subject, details: { handle: type.handle } });
  });
}

async function refuseInUse(job: Job, catalog: Catalog, type: ContentType): Promise<void> {
  const isBlock = type.objectType === 'block';
  const contents = isBlock ? await countBlockHolders(job, catalog, type) : await job.run(countContentOfType(type.no));
  const allowedBy = listFieldsThatAllow(catalog, type);
  if (contents === 0 && allowedBy.length === 0) return;
  const objects = contents === 1 ? 'content object' : 'content objects';
  const use = isBlock ? `${contents} ${objects} with such blocks` : `${contents} ${objects} of this type`;
  const naming = allowedBy.length === 0 ? '' : `, allowed_types of ${allowedBy.join(', ')}`;
  throw new AuthoringRefusal(`The content type ${type.handle} is in use: ${use}${naming}.`, {
    reason: 'conflict',
    details: { contents, allowed_by: allowedBy },
  });
}

async function countBlockHolders(job: Job, catalog: Catalog, type: ContentType): Promise<number> {
  let count = 0;
  for await (const versions of walkSaved(job.run, { ...locateBlocks(catalog, type), versions: 'current' })) {
    if (versions.some(({ fields }) => findBlocks(fields, type.handle).length > 0)) count += 1;
  }
  return count;
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
