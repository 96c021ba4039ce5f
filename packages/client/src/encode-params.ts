// Parameters as a query string: arrays in array syntax (`p[0]=a&p[1]=b`), objects as names in brackets, undefined left out.
// An empty array stays as an empty value, which the server refuses: a list of nothing must not become a list of everything.

export function encodeParams(params: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) appendValue(pairs, name, value);
  return pairs.toString();
}

function appendValue(pairs: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length === 0)) {
    pairs.append(name, String(value ?? ''));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    appendValue(pairs, `${name}[${key}]`, Array.isArray(value) ? (item ?? '') : item);
  }
}
