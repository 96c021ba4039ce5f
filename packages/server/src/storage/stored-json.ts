/** JSON that storage itself wrote, from a value of this type. */
export function parseStored<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}
