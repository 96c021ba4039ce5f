// Encodes parameters as a query string: arrays in array syntax (`p[0]=a&p[1]=b`), objects as names in brackets. Undefined properties are
// omitted. An empty array or object becomes an empty value, which the server rejects: a list of nothing must not become a list of
// everything. Only `fields` and the accessors in it may be empty, so filters can be built step by step.

import { checkPlain, isRecord } from './check-value.ts';

export function encodeParams(params: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) appendValue(pairs, name, value);
  return `${pairs}`;
}

function appendValue(pairs: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (!isRecord(value)) {
    pairs.append(name, String(value ?? ''));
    return;
  }
  const isArray = Array.isArray(value);
  if (!isArray) checkPlain(name, value);
  const entries = Object.entries(isArray ? [...value] : value);
  if (!entries[0] && (isArray || !/^fields(\[\w+\])?$/.test(name))) pairs.append(name, '');
  for (const [key, item] of entries) appendValue(pairs, `${name}[${key}]`, isArray ? (item ?? '') : item);
}
