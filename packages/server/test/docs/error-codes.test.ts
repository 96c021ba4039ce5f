// Compares the codes in docs/errors.md, and the panel's messages for them, with the management API's codes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_TEXTS, FAULT_TEXTS } from '../../../admin/src/texts/fault-texts.ts';
import { REFUSAL_CODES } from '../../src/authoring/authoring-refusal.ts';
import { FAULT_CODES } from '../../src/content/fault.ts';
import { PROBLEMS } from '../../src/http/problems.ts';
import { refuseUpload } from '../../src/management/refuse-upload.ts';
import {
  describeDamage,
  describePixels,
  describeTooLarge,
  describeType,
  EMPTY,
  OVERLOADED,
  SLOW,
  type UploadProblem,
} from '../../src/uploads/upload-problem.ts';

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

test('every code that an entry in `errors` can have is listed on the page exactly once', () => {
  expect(listCodes(faults).toSorted()).toEqual(FAULT_CODES.toSorted());
});

test('the panel has a message for every code', () => {
  expect(Object.keys(FAULT_TEXTS).toSorted()).toEqual(FAULT_CODES.toSorted());
  expect(Object.keys(ERROR_TEXTS).toSorted()).toEqual([...new Set([...REFUSAL_CODES, ...PROBLEM_CODES])].toSorted());
});

/** Whether the panel shows an error with this code as the service sends it, at least without `details`. */
function isPassedOn(code: string): boolean {
  const say = Object.entries(ERROR_TEXTS).find(([each]) => each === code)?.[1];
  return say?.({ message: 'As sent.', details: {} }) === 'As sent.';
}

function refuse(problem: UploadProblem): string {
  return refuseUpload(problem, 'tide.png').message;
}

/** Messages that the panel shows as the service sends them. */
const PASSED_ON: readonly (readonly [code: string, messages: readonly string[]])[] = [
  ...Object.values(PROBLEMS).flatMap(({ code, message }) => (isPassedOn(code) ? [[code, [message]] as const] : [])),
  [
    'forbidden',
    ['Your role has changed. Try again.', 'This user was suspended.', 'Only an owner can create a token for an owner.'],
  ],
  ['conflict', ['Users cannot suspend themselves.', 'This asset already has a file in the library.']],
  ['invalid', ['The form must contain exactly one file.']],
  ['too_large', [refuse(describeTooLarge(1024))]],
  ['busy', [refuse(OVERLOADED)]],
  ['in_use', ['Folder “Tides/Low” cannot be deleted: it is not empty.']],
  ['taken', ['This email address is already in use.', 'Folder “Tides” already exists.']],
  ['stale', ['Edgar has since saved version 5; this change is based on version 4.']],
  ['limit_reached', ['A site can have at most 100 languages.', 'A content type can have at most 200 fields.']],
  ['last_owner', ['This is the last active owner of the account. Make somebody else an owner first.']],
  ['duplicate', ['The site already has this file: “Heron”.', 'The site already has 2 of these files.']],
  ['file_removed', ['This file was removed and can no longer be restored.']],
  ['file_empty', [refuse(EMPTY)]],
  ['type_not_allowed', [refuse(describeType('application/pdf', ['image/']))]],
  ['too_many_pixels', [refuse(describePixels(200, 100))]],
  ['unreadable', [refuse(describeDamage('image/png')), refuse(SLOW)]],
  ['not_fetched', ['Heron: pictures.example is not on the public internet, so Galley will not fetch files from it.']],
  ['wrong_offset', ['1024 bytes have arrived, so the next part must begin there.']],
  ['incomplete', ['Only 1024 of 2048 bytes have arrived. Finish the upload first.']],
];

test('the panel shows a message unchanged only if it contains no ids or language tags', () => {
  const codes = Object.keys(ERROR_TEXTS).filter(isPassedOn);
  expect(PASSED_ON.map(([code]) => code).toSorted()).toEqual(codes.toSorted());
  for (const message of PASSED_ON.flatMap(([, messages]) => messages)) {
    expect(message).not.toMatch(/\b[a-z]{1,2}_\w/);
    expect(message).not.toMatch(/\b(?:de|en|fr|pt-BR)\b/);
  }
});
