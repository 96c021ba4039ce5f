// Compares response bodies from the service and the oracle as JSON text, so key order and nulls matter. The oracle has no field ids, so the
// first id seen for a field is remembered and must be the same everywhere.

import type { ContentBody } from '@galley/wire';

export interface BodyComparison {
  /** Throws an error that shows the first difference. */
  expectSame(where: string, actual: unknown, expected: readonly ContentBody[]): void;
}

export function compareBodies(): BodyComparison {
  const idOf = new Map<string, string>();
  const texts = new WeakMap<ContentBody, string>();

  function textOf(body: ContentBody): string {
    const known = texts.get(body);
    if (known !== undefined) return known;
    let isBound = true;
    const text = JSON.stringify(body).replaceAll(/"(field:[^"]*)"/g, (_, standIn: string) => {
      isBound &&= idOf.has(standIn);
      return JSON.stringify(idOf.get(standIn) ?? standIn);
    });
    if (isBound) texts.set(body, text);
    return text;
  }

  function bind(expected: unknown, actual: unknown): void {
    if (!isObject(expected) || !isObject(actual)) return;
    const standIn = expected.id;
    if (typeof standIn === 'string' && standIn.startsWith('field:') && !idOf.has(standIn)) {
      const isFree = typeof actual.id === 'string' && ![...idOf.values()].includes(actual.id);
      if (isFree && typeof actual.id === 'string') idOf.set(standIn, actual.id);
    }
    for (const [name, value] of Object.entries(expected)) bind(value, actual[name]);
  }

  function expectSame(where: string, actual: unknown, expected: readonly ContentBody[]): void {
    const actualText = JSON.stringify(actual);
    if (actualText === joined(expected)) return;
    bind(expected, actual);
    expectSameText(where, actualText, joined(expected));
  }

  function joined(bodies: readonly ContentBody[]): string {
    return `[${bodies.map(textOf).join(',')}]`;
  }

  return { expectSame };
}

export function expectSameText(where: string, actual: string, expected: string): void {
  if (actual === expected) return;
  const length = Math.min(actual.length, expected.length);
  let at = 0;
  while (at < length && actual[at] === expected[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 160), at + 160);
  throw new Error(
    `${where}: differs at character ${at}\n  got      …${around(actual)}…\n  expected …${around(expected)}…`,
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
