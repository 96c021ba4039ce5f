// Compares the codes in docs/errors.md, and the panel's messages for them, with the management API's codes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_TEXTS, FAULT_TEXTS } from '../../../admin/src/texts/fault-texts.ts';
import { REFUSAL_CODES } from '../../src/authoring/authoring-refusal.ts';
import { FAULT_CODES } from '../../src/content/fault.ts';
import { PROBLEMS } from '../../src/http/problems.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
const [, , errors = '', faults = ''] = PAGE.split(/^\| (?:status \| )?code \|.*$/m);
const PROBLEM_CODES = Object.values(PROBLEMS).map(({ code }) => code);

/** The codes in the first column of a table. */
function listCodes(table: string): readonly string[] {
  const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code));
}

test('the page lists every error code exactly once', () => {
  expect(listCodes(errors).toSorted()).toEqual(REFUSAL_CODES.toSorted());
});

test('the page lists every code for an entry in `errors` exactly once', () => {
  expect(listCodes(faults).toSorted()).toEqual(FAULT_CODES.toSorted());
});

test('the panel has a message for every code', () => {
  expect(Object.keys(FAULT_TEXTS).toSorted()).toEqual(FAULT_CODES.toSorted());
  expect(Object.keys(ERROR_TEXTS).toSorted()).toEqual([...new Set([...REFUSAL_CODES, ...PROBLEM_CODES])].toSorted());
});
