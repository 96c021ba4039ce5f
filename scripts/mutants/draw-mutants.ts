// Random places of the server's sources, each broken in one of four ways: a flipped condition, a dropped `await`, a shifted bound, and a
// function that returns before its last statement.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';

export interface Mutant {
  readonly no: number;
  /** From the root of the checkout. */
  readonly path: string;
  readonly line: number;
  readonly change: string;
  /** The file's whole text with the change. */
  readonly broken: string;
}

type Kind = 'flipped condition' | 'dropped await' | 'shifted bound' | 'early return';

interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const SHIFTED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

export function drawMutants(checkout: string, seed: number, count: number): readonly Mutant[] {
  const places = findPlaces(checkout);
  const kinds = [...places.keys()];
  const draw = createDraw(seed);
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[Math.floor(draw() * kinds.length)] ?? 'flipped condition';
    const candidates = places.get(kind) ?? [];
    const place = candidates[Math.floor(draw() * candidates.length)];
    if (place === undefined) throw new Error(`The sources have no place for a ${kind}`);
    return breakPlace(checkout, index + 1, kind, place);
  });
}

function findPlaces(checkout: string): ReadonlyMap<Kind, readonly Place[]> {
  const places = new Map<Kind, Place[]>([
    ['flipped condition', []],
    ['dropped await', []],
    ['shifted bound', []],
    ['early return', []],
  ]);
  const listed = execFileSync('git', ['ls-files', 'packages/server/src'], { cwd: checkout, encoding: 'utf8' });
  const paths = listed.split('\n').filter((path) => /(?<!\.(test|fixture))\.ts$/.test(path));
  for (const path of paths) {
    const text = readFileSync(join(checkout, path), 'utf8');
    const add = (kind: Kind, { start, end }: Pick<Node, 'start' | 'end'>, replacement: string): void => {
      places.get(kind)?.push({ path, start, end, replacement });
    };
    const negate = (test: Node): void => add('flipped condition', test, `!(${text.slice(test.start, test.end)})`);
    const leaveEarly = (body: Node | null): void => {
      const last = body?.type === 'BlockStatement' ? body.body.at(-1) : undefined;
      if (last !== undefined) add('early return', { start: last.start, end: last.start }, 'return undefined; ');
    };
    new Visitor({
      IfStatement: ({ test }) => negate(test),
      ConditionalExpression: ({ test }) => negate(test),
      AwaitExpression: (node) => add('dropped await', node, text.slice(node.argument.start, node.argument.end)),
      BinaryExpression({ left, operator, right }) {
        const shifted = SHIFTED[operator];
        if (shifted !== undefined) add('shifted bound', { start: left.end, end: right.start }, ` ${shifted} `);
      },
      FunctionDeclaration: ({ body }) => leaveEarly(body),
      FunctionExpression: ({ body }) => leaveEarly(body),
      ArrowFunctionExpression: ({ body }) => leaveEarly(body),
    }).visit(parseSync(path, text).program);
  }
  return places;
}

function breakPlace(checkout: string, no: number, kind: Kind, { path, start, end, replacement }: Place): Mutant {
  const text = readFileSync(join(checkout, path), 'utf8');
  const line = text.slice(0, start).split('\n').length;
  const [source = ''] = text.split('\n').slice(line - 1);
  const broken = text.slice(0, start) + replacement + text.slice(end);
  return { no, path, line, change: `${kind}: ${source.trim()}`, broken };
}

/** Mulberry32: numbers from 0 to 1, the same ones for the same seed. */
function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
