// Takes values out of everything that was saved, old versions included: what was deleted is gone for good, and a new field
// or block type of the same handle begins with nothing.

import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { collectReferences, type FieldValues } from '../../content/field-value.ts';
import { rewriteSavedVersion } from '../../storage/port.ts';
import type { Job } from '../desk.ts';
import { type Walk, walkSaved } from './walk-saved.ts';

/** @param drop gives the values that remain */
export async function dropValues(
  job: Job,
  catalog: Catalog,
  where: Omit<Walk, 'versions'>,
  drop: (values: FieldValues) => FieldValues,
): Promise<void> {
  for (const typeNo of where.typeNos) {
    const type = catalog.typesByNo.get(typeNo);
    if (type !== undefined) await dropFromType(job, catalog, { ...where, typeNos: [typeNo] }, type, drop);
  }
}

async function dropFromType(
  job: Job,
  catalog: Catalog,
  where: Omit<Walk, 'versions'>,
  type: ContentType,
  drop: (values: FieldValues) => FieldValues,
): Promise<void> {
  for await (const versions of walkSaved(job.run, { ...where, versions: 'all' })) {
    for (const version of versions) {
      const fields = drop(version.fields);
      if (JSON.stringify(fields) === JSON.stringify(version.fields)) continue;
      const { links } = collectReferences(type, fields, catalog.typesByHandle);
      await job.run(rewriteSavedVersion(version, fields, links));
    }
  }
}
