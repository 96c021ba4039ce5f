import type { ManagedTypeBody } from '@galley/wire';
import { type BlockValue, readItems, readText } from './field-values.ts';

const MOST_CHARACTERS = 90;

/** The first text of a block, as far as one line shows it. */
export function summariseBlock({ fields }: ManagedTypeBody, { fields: values }: BlockValue): string {
  for (const { handle, type, format } of fields) {
    const value = values[handle];
    const text = type === 'list' ? readItems(value, 'list').join(', ') : readText(value);
    const plain = (format === 'html' ? text.replace(/<[^>]*>/g, ' ') : text).replace(/\s+/g, ' ').trim();
    if (plain !== '') return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}…` : plain;
  }
  return '';
}
