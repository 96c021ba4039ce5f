// Finds and deletes values in all saved versions of content, including old ones. It works in steps, to let other work run in between.

import { setImmediate as takeTurn } from 'node:timers/promises';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import type { FieldValues } from '../../content/field-value.ts';
import { FIRST_VERSION, type VersionPosition } from '../../storage/contents/content-versions.ts';
import { rewriteSavedVersion, type SavedVersion, selectSavedVersions } from '../../storage/types/saved-values.ts';
import { forgetFailures } from '../delete-for-good.ts';
import type { Job, Reader } from '../desk.ts';

export interface Where {
  readonly typeNos: readonly number[];
  /** Text that the JSON of the values must contain. */
  readonly text: string;
}

/** A single version can be as large as a megabyte. */
const VERSIONS_AT_ONCE = 200;

/** Yields every saved version that contains the text, one content object after another. */
export function walkVersions(run: Reader['run'], where: Where): AsyncGenerator<SavedVersion> {
  return walk(run, where, 'all');
}

/** Yields, for each content object, its newest and published versions if they contain the text. */
export async function* walkHolders(run: Reader['run'], where: Where): AsyncGenerator<readonly SavedVersion[]> {
  let held: SavedVersion[] = [];
  for await (const version of walk(run, where, 'current')) {
    if (held.length > 0 && held[0]?.contentNo !== version.contentNo) {
      yield held;
      held = [];
    }
    held.push(version);
  }
  if (held.length > 0) yield held;
}

async function* walk(
  run: Reader['run'],
  { typeNos, text }: Where,
  which: 'all' | 'current',
): AsyncGenerator<SavedVersion> {
  for (const typeNo of typeNos) {
    let after: VersionPosition | null = FIRST_VERSION;
    while (after !== null) {
      const stretch: Awaited<ReturnType<typeof readStretch>> = await readStretch(run, typeNo, which, text, after);
      yield* stretch.versions;
      after = stretch.next;
      await takeTurn();
    }
  }
}

function readStretch(
  run: Reader['run'],
  typeNo: number,
  which: 'all' | 'current',
  text: string,
  after: VersionPosition,
) {
  return run(selectSavedVersions(typeNo, which, text, after, VERSIONS_AT_ONCE));
}

/** Describes which versions may contain values of the field. */
export function locateField(catalog: Catalog, type: ContentType, field: Field): Where {
  if (type.objectType === 'block') return locateBlocks(catalog, type);
  return { typeNos: [type.no], text: `"${field.handle}":` };
}

/** Describes which versions may contain blocks of the type. */
export function locateBlocks({ types }: Catalog, type: ContentType): Where {
  const holders = types.filter(
    ({ objectType, fields }) => objectType !== 'block' && fields.some((field) => field.type === 'blocks'),
  );
  return { typeNos: holders.map(({ no }) => no), text: `"content_type":"${type.handle}"` };
}

/**
 * Permanently deletes values: a new field or block type with the same handle must start without any.
 * @param drop returns the remaining values of a version, or throws a refusal
 */
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
