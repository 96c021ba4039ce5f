// The one place where an unknown value is found to be a JSON object.

/** Only own members may be read from it: names like `constructor` are data here. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
