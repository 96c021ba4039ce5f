// Checks fields that a bundle makes required in existing content types. Once the whole bundle has been written, all
// published content must have a value for them; the bundle itself may add the missing values.

import { requireOnly } from '../content/catalog.ts';
import type { FieldDefinition } from '../content/content-type-definition.ts';
import type { ContentType, Field } from '../content/field.ts';
import { needsValue } from '../content/field-value.ts';
import type { Uses } from '../storage/contents/content-uses.ts';
import type { Transaction } from '../storage/engine.ts';
import { countLacking } from '../storage/types/saved-values.ts';
import type { ContentTypeRecord } from './bundle-record.ts';
import type { BundleReport, RecordFault } from './bundle-report.ts';
import type { ImportedSites } from './imported-sites.ts';

interface ChangedType {
  readonly line: number;
  readonly record: ContentTypeRecord;
  readonly siteNo: number;
  readonly handles: readonly string[];
}

export class RequiredFields {
  readonly #changed: ChangedType[] = [];

  /** @param known the type before the import; undefined for a new type, because all of its content is in the bundle */
  note(line: number, record: ContentTypeRecord, siteNo: number, known: ContentType | undefined): void {
    const handles = known === undefined ? [] : record.fields.filter((field) => isNowRequired(field, known.fields));
    if (handles.length > 0) this.#changed.push({ line, record, siteNo, handles: handles.map(({ handle }) => handle) });
  }

  /** Call this once all content has been written. */
  async refuseLacking(transaction: Transaction, sites: ImportedSites, report: BundleReport): Promise<void> {
    for (const { line, record, siteNo, handles } of this.#changed) {
      const catalog = await sites.catalogOf(siteNo);
      const type = catalog.typesByHandle.get(record.handle);
      if (type === undefined) throw new Error('A content type disappeared during its import');
      for (const field of type.fields.filter(({ handle }) => handles.includes(handle))) {
        const lacking = await transaction.run(countLacking(requireOnly(catalog, type.no, [field])));
        if (lacking.total > 0) report.refuse(line, record, [describeLack(field, lacking)]);
      }
    }
  }
}

function isNowRequired(definition: FieldDefinition, known: readonly Field[]): boolean {
  const before = known.find(({ handle }) => handle === definition.handle);
  const isNeeded = needsValue({ isRequired: definition.required, isHidden: definition.hidden });
  return isNeeded && (before === undefined || !needsValue(before));
}

function describeLack({ handle }: Field, { total, contents }: Uses): RecordFault {
  const ids = contents.map(({ id }) => id).join(', ');
  const rest = total > contents.length ? ` and ${total - contents.length} more` : '';
  return { field: handle, message: `cannot be required: published content has no value in it (${ids}${rest})` };
}
