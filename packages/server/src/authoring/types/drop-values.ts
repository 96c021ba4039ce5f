// Takes values out of everything that was saved, old versions included: what was deleted is gone for good, and a new field
// or block type of the same handle begins with nothing.

import type { Catalog } from '../../content/catalog.ts';
import type { FieldValues } from '../../content/field-value.ts';
import { rewriteSavedVersion, type SavedVersion } from '../../storage/port.ts';
import type { Job } from '../desk.ts';
import { forgetFailures } from '../schedule/forget-failures.ts';
import { type Where, walkVersions } from './walk-saved.ts';

/** @param drop gives the values that remain of a version that may have some to drop, or refuses */
export async function dropValues(
  job: Job,
  catalog: Catalog,
  { typeNos, text }: Where,
  drop: (version: SavedVersion) => FieldValues,
): Promise<void> {
  for (const typeNo of typeNos) {
    const type = catalog.typesByNo.get(typeNo);
    if (type === undefined) continue;
    for await (const version of walkVersions(job.run, { typeNos: [typeNo], text })) {
      const fields = drop(version);
      if (JSON.stringify(fields) === JSON.stringify(version.fields)) continue;
      await job.run(rewriteSavedVersion(version, fields, type, catalog, job.now));
    }
  }
  await forgetFailures(job, catalog.site);
}
