/** What differs from what a form began with, for changes that leave everything else as it is by now. */
export function pickChanged<Values extends object>(values: Values, initial: Values): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) {
    if (JSON.stringify(values[name]) !== JSON.stringify(initial[name])) picked[name] = values[name];
  }
  return picked;
}
