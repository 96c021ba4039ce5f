// Finds everything that prevents a version from being published: values that its type no longer accepts, missing required values, values
// outside their field's limits, images without a required description, too many assets and links to fit into a response, and a URL that
// another page already uses.

import { MOST_ANSWER } from '../../content/answer-limit.ts';
import { type Fault, formatFault } from '../../content/fault.ts';
import { collectReferences, findMissingRequired, parseFieldValues } from '../../content/field-value.ts';
import { findSettingFaults } from '../../content/find-setting-faults.ts';
import { keepKnownValues } from '../../content/fit-values.ts';
import type { ContentVersion } from '../../storage/contents/content-versions.ts';
import { findLargeShow } from '../../storage/contents/find-too-large.ts';
import { selectMediaTypes, selectTypesOfContents, selectUndescribedImages } from '../../storage/contents/references.ts';
import { selectAssetSettings } from '../../storage/sites/asset-settings.ts';
import type { Procedure } from '../../storage/statement.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Prepared, UnmeasuredShow } from '../prepare-work.ts';
import type { Subject } from './find-content.ts';
import { findUrlClashes, refuseTakenUrl, type UrlClashes } from './url-clashes.ts';

const TOO_LARGE: Fault = {
  path: 'fields',
  message: `must be at most ${MOST_ANSWER} in total, counting each asset and linked object every time it appears`,
};

type Examined = Pick<Subject, 'catalog' | 'type' | 'record'>;

export interface PublishFindings extends Pick<UrlClashes, 'warnings'> {
  readonly faults: readonly Fault[];
}

export const NO_FINDINGS: PublishFindings = { faults: [], warnings: [] };

/** Returns the faults that prevent publishing, and warnings about the URL. */
export function* findPublishFaults(
  subject: Examined,
  version: ContentVersion,
  prepared: Prepared,
): Procedure<PublishFindings> {
  const { taken, warnings } = yield* findUrlClashes(subject, version);
  const faults = yield* findValueFaults(subject, version, prepared);
  return { faults: taken === undefined ? faults : [taken.fault, ...faults], warnings };
}

function* findValueFaults(
  { catalog, type, record }: Examined,
  version: ContentVersion,
  { measured }: Prepared,
): Procedure<readonly Fault[]> {
  const show = yield* findLargeShow(record, version, catalog);
  if (show !== undefined && !measured.has(show.key)) throw new UnmeasuredShow(show);
  const { site, typesByHandle } = catalog;
  const values = keepKnownValues(type, version.fields, typesByHandle);
  const { links, assets } = collectReferences(type, values, typesByHandle);
  const handles = yield* selectTypesOfContents(site.no, links);
  const mediaTypes = yield* selectMediaTypes(site.no, assets);
  const undescribed = yield* findUndescribed(site.no, assets);
  const shape = parseFieldValues(type, values, typesByHandle);
  return [
    ...(shape.ok ? [] : shape.problem),
    ...findMissingRequired(type, values, typesByHandle),
    ...findSettingFaults(type, values, typesByHandle, {
      findContentTypeHandle: (id) => handles.get(id),
      findMimeType: (id) => mediaTypes.get(id),
      findUndescribed: (id) => undescribed.get(id),
    }),
    ...(show !== undefined && measured.get(show.key) === true ? [TOO_LARGE] : []),
  ];
}

const ALL_DESCRIBED: ReadonlyMap<string, string> = new Map();

function* findUndescribed(siteNo: number, assets: readonly string[]): Procedure<ReadonlyMap<string, string>> {
  if (assets.length === 0) return ALL_DESCRIBED;
  const { requiresDescription } = yield* selectAssetSettings(siteNo);
  return requiresDescription ? yield* selectUndescribedImages(siteNo, assets) : ALL_DESCRIBED;
}

export function* refuseFaultyPublish(subject: Subject, prepared: Prepared): Procedure<void> {
  const { taken } = yield* findUrlClashes(subject, subject.newest);
  const faults = yield* findValueFaults(subject, subject.newest, prepared);
  refuseFaulty(subject, taken === undefined || faults.length === 0 ? faults : [...faults, taken.fault]);
  if (taken !== undefined) throw refuseTakenUrl(subject, taken);
}

/** Ignores clashes with the URLs of other pages, which may be unpublished before the scheduled time. */
export function* refuseFaultySchedule(subject: Subject, prepared: Prepared): Procedure<void> {
  refuseFaulty(subject, yield* findValueFaults(subject, subject.newest, prepared));
}

function refuseFaulty({ record }: Subject, faults: readonly Fault[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  throw new AuthoringRefusal(`Content ${record.id} cannot be published: ${formatFault(first)}${rest}.`, {
    reason: 'invalid',
    faults,
  });
}
