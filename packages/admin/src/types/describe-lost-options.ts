import type { ManagedFieldBody } from '@galley/wire';
import { FIELD_TEXTS } from '../texts/field-texts.ts';

interface LostOption {
  readonly value: string;
  readonly contents: number;
}

/** @param details of the refusal to take options away that content has chosen */
export function describeLostOptions(
  details: Readonly<Record<string, unknown>>,
  field: ManagedFieldBody | undefined,
): string {
  const lost = Array.isArray(details.options) ? details.options.filter(isLostOption) : [];
  const labels = new Map(field?.options?.map(({ label, value }) => [value, label]));
  return FIELD_TEXTS.lossText(
    lost.map(({ value, contents }) => FIELD_TEXTS.lossOf(labels.get(value) ?? value, contents)),
  );
}

function isLostOption(option: unknown): option is LostOption {
  return (
    typeof option === 'object' &&
    option !== null &&
    'value' in option &&
    typeof option.value === 'string' &&
    'contents' in option &&
    typeof option.contents === 'number'
  );
}
