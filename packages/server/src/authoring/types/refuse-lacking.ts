// Published content has a value in every required field, so front ends do not have to check for missing values. A field
// cannot become required, and a hidden required field cannot be made visible, while any published content has no value for it.

import { setImmediate as takeTurn } from 'node:timers/promises';
import { type Catalog, requireOnly } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { needsValue } from '../../content/field-value.ts';
import type { Uses, UsingContent } from '../../storage/contents/content-uses.ts';
import { selectPreviewGeneration } from '../../storage/sites/select-catalog.ts';
import {
  FIRST_LACKING,
  LACKING_SHOWN,
  type LackingPosition,
  type LackingStretch,
  selectLacking,
} from '../../storage/types/saved-values.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Reader } from '../desk.ts';

/**
 * Call this before the transaction, to keep the transaction short. Call it again inside the transaction if the site has changed since.
 * @param before the field before the change; undefined for a new one
 * @returns the site's generation, which changes whenever anything in the site changes
 */
export async function refuseLacking(
  reader: Reader,
  catalog: Catalog,
  type: ContentType,
  field: Field,
  before: Field | undefined,
): Promise<number | undefined> {
  const generation = await reader.run(selectPreviewGeneration(catalog.site.no));
  if (!needsValue(field) || (before !== undefined && needsValue(before))) return generation;
  const uses = await findLacking(reader, requireOnly(catalog, type.no, [field]));
  if (uses.total > 0) throw refuse(field, before, uses);
  return generation;
}

async function findLacking(reader: Reader, catalog: Catalog): Promise<Uses> {
  const contents: UsingContent[] = [];
  let total = 0;
  let after: LackingPosition | null = FIRST_LACKING;
  while (after !== null) {
    const stretch: LackingStretch = await reader.run(selectLacking(catalog, after));
    contents.push(...stretch.contents.slice(0, LACKING_SHOWN - contents.length));
    total += stretch.contents.length;
    after = stretch.next;
    await takeTurn();
  }
  return { total, contents };
}

function refuse(field: Field, before: Field | undefined, { total, contents }: Uses): AuthoringRefusal {
  const isShownAgain = before?.isRequired === true;
  const [first] = contents;
  const names = contents.map(({ id, name }) => `${name} (${id})`).join(', ');
  const rest = total > contents.length ? ` and ${total - contents.length} more` : '';
  const objects = total === 1 ? '1 published content object has' : `${total} published content objects have`;
  const lack = `${objects} no value in this field: ${names}${rest}`;
  const message = isShownAgain
    ? `cannot be turned off while the field is required; ${lack}`
    : `cannot be turned on; ${lack}`;
  return new AuthoringRefusal(
    `Field ${field.handle} cannot be required: ${objects} no value in it. Add the missing values, publish, and try again.`,
    {
      reason: 'conflict',
      code: 'values_missing',
      faults: [
        {
          path: isShownAgain ? 'hidden' : 'required',
          message,
          code: 'values_missing',
          values: { total, ...(first && { id: first.id, name: first.name }) },
        },
      ],
      details: { contents_without_value: total, contents },
    },
  );
}
