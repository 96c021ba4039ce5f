// What keeps a version from being published: values that its type does not take any more, required values that are
// missing, and values outside of their field's limits.

import type { Fault } from '../../content/fault.ts';
import { formatFault } from '../../content/fault.ts';
import { collectReferences, findMissingRequired, parseFieldValues } from '../../content/field-value.ts';
import { findSettingFaults } from '../../content/find-setting-faults.ts';
import { keepKnownValues } from '../../content/known-values.ts';
import { type ContentVersion, type Procedure, selectMediaTypes, selectTypesOfContents } from '../../storage/port.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Subject } from './find-content.ts';

export function* findPublishFaults(
  { catalog, type }: Pick<Subject, 'catalog' | 'type'>,
  version: ContentVersion,
): Procedure<readonly Fault[]> {
  const { site, typesByHandle } = catalog;
  const values = keepKnownValues(type, version.fields, typesByHandle);
  const { links, assets } = collectReferences(type, values, typesByHandle);
  const handles = yield* selectTypesOfContents(site.no, links);
  const mediaTypes = yield* selectMediaTypes(site.no, assets);
  const shape = parseFieldValues(type, values, typesByHandle);
  return [
    ...(shape.ok ? [] : shape.problem),
    ...findMissingRequired(type, values, typesByHandle),
    ...findSettingFaults(type, values, typesByHandle, {
      findContentTypeHandle: (id) => handles.get(id),
      findMimeType: (id) => mediaTypes.get(id),
    }),
  ];
}

export function* refuseFaultyPublish(subject: Subject): Procedure<void> {
  const faults = yield* findPublishFaults(subject, subject.newest);
  const [first, ...others] = faults;
  if (first === undefined) return;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  throw new AuthoringRefusal(`Content ${subject.record.id} cannot be published: ${formatFault(first)}${rest}.`, {
    reason: 'invalid',
    faults,
  });
}
