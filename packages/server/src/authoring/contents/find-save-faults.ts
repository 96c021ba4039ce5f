// Size limits and URL checks for content that editors save. They do not apply to imports, which only the operator can run.

import { buildFault, type Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { type FieldValue, type FieldValues, type TypesByHandle, walkFieldValues } from '../../content/field-value.ts';
import type { Seo } from '../../content/seo.ts';
import { isPageAddress, PAGE_ADDRESS_RULE } from '../../content/web-address.ts';

const MOST_CHARACTERS = 1_000_000;
/** Cleaning a megabyte of malicious markup takes seconds. */
export const MOST_HTML_CHARACTERS = 400_000;
const MOST_ITEMS = 1000;
/** The total number of values, including those in nested blocks. */
const MOST_VALUES = 20_000;

/**
 * The limits are far beyond what people write. They prevent one save from blocking all readers, and one object from growing too
 * large for a response, an export or a browser.
 */
export function findSizeFaults(type: ContentType, values: FieldValues, typesByHandle: TypesByHandle): readonly Fault[] {
  const faults: Fault[] = [];
  let count = 0;
  for (const { field, value, path } of walkFieldValues(type, values, typesByHandle)) {
    count += 1;
    if (count > MOST_VALUES) return [{ path: 'fields', message: `must have at most ${MOST_VALUES} values in total` }];
    if (value === undefined) continue;
    const most = field.settings.format === 'html' ? MOST_HTML_CHARACTERS : MOST_CHARACTERS;
    if ('text' in value && value.text.length > most) {
      const { length } = value.text;
      const message = `must have at most ${most} characters, has ${length}`;
      faults.push({ path: `${path}.text`, message, code: 'too_long', values: { max: most, length } });
    }
    const items = listItems(value);
    if (items.length > MOST_ITEMS) {
      const message = `must have at most ${MOST_ITEMS} items, has ${items.length}`;
      faults.push({ path, message, code: 'too_many', values: { max: MOST_ITEMS, count: items.length } });
    }
  }
  return faults;
}

function listItems(value: FieldValue): readonly unknown[] {
  if ('list' in value) return value.list;
  if ('assets' in value) return value.assets;
  if ('content_links' in value) return value.content_links;
  return 'blocks' in value ? value.blocks : [];
}

/** Checks the URLs that sites put into the head of their pages. */
export function findSeoFaults({ canonical_url, open_graph }: Seo): readonly Fault[] {
  const addresses = [
    ['seo.canonical_url', canonical_url],
    ['seo.open_graph.url', open_graph.url],
    ['seo.open_graph.image_secure_url', open_graph.image_secure_url],
  ] as const;
  return addresses.flatMap(([path, address]) =>
    address === null || isPageAddress(address)
      ? []
      : [buildFault(path, `must be ${PAGE_ADDRESS_RULE}`, address, { code: 'url_invalid' })],
  );
}
