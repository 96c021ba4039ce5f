import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invalidParameter, PROBLEMS, ProblemError, withHeaders } from './problems.ts';

interface DocumentedRow {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly when: string;
}

function readDocumentedRows(): readonly DocumentedRow[] {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
  const rows = page.matchAll(/^\| (\d{3}) \| (.+?) \| (.+?) \| (.+?) \|$/gm);
  return [...rows].map(([, status, code = '', message = '', when = '']) => ({
    status: Number(status),
    code: code.replace(/^`(.*)`$/, '$1'),
    message: message.replace(/^`(.*)`$/, '$1'),
    when,
  }));
}

const describeRow = ({ status, code, message }: Omit<DocumentedRow, 'when'>): string => `${status} ${code} ${message}`;

describe('docs/errors.md', () => {
  const documented = readDocumentedRows();
  const known = [...Object.values(PROBLEMS), { ...invalidParameter('varies'), code: 'varies' }];

  test('documents every problem in the table', () => {
    for (const problem of known) expect(documented.map(describeRow)).toContain(describeRow(problem));
  });

  test('documents only problems that exist, and each only once', () => {
    expect(documented.map(describeRow).toSorted()).toEqual(known.map(describeRow).toSorted());
  });

  test('is sorted by status, and mentions each header that a problem adds', () => {
    expect(documented.map((row) => row.status)).toEqual(documented.map((row) => row.status).toSorted());
    for (const problem of known) {
      const row = documented.find((candidate) => describeRow(candidate) === describeRow(problem));
      for (const name of Object.keys(problem.headers ?? {})) expect(row?.when.toLowerCase()).toContain(name);
    }
  });
});

describe('problems', () => {
  test('are all different, and each message is one or two sentences', () => {
    for (const member of ['code', 'message'] as const) {
      const values = Object.values(PROBLEMS).map((problem) => problem[member]);
      expect(new Set(values).size).toBe(values.length);
    }
    for (const problem of Object.values(PROBLEMS)) expect(problem.message).toMatch(/^[A-Z][^.]*\.( [A-Z][^.]*\.)?$/);
  });

  test('stay the same in the table when headers are added for one response', () => {
    const problem = withHeaders(PROBLEMS.serviceUnavailable, { 'retry-after': '30', allow: 'GET' });
    expect(problem).toEqual({
      code: 'service_unavailable',
      status: 503,
      message: 'Service unavailable.',
      headers: { 'retry-after': '30', allow: 'GET' },
    });
    expect(PROBLEMS.serviceUnavailable.headers).toEqual({ 'retry-after': '1' });
    expect(Object.values(PROBLEMS).every(Object.isFrozen)).toBe(true);
  });

  test('can be thrown where they cannot be returned', () => {
    expect(new ProblemError(PROBLEMS.notFound)).toMatchObject({ problem: PROBLEMS.notFound, message: 'Not found.' });
  });
});
