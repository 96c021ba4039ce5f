import { describe, expect, test } from 'vitest';
import type { Paint } from './paint.ts';
import { renderTable } from './print-result.ts';

const plain: Paint = (_style, text) => text;

const TABLE = {
  headings: ['ID', 'NAME', 'STATE'],
  rows: [
    ['k_1', 'Web site', 'active'],
    ['k_22', 'Été', 'revoked'],
  ],
};

describe('renderTable', () => {
  test('aligns columns under their headings', () => {
    expect(renderTable(TABLE, undefined, plain)).toBe(
      ['ID     NAME       STATE', 'k_1    Web site   active', 'k_22   Été        revoked'].join('\n'),
    );
  });

  test('turns rows into paragraphs with labelled values if the terminal is too narrow', () => {
    expect(renderTable(TABLE, 20, plain)).toBe(
      ['k_1', '  name Web site', '  state active', '', 'k_22', '  name Été', '  state revoked'].join('\n'),
    );
    const narrow = renderTable(TABLE, 26, plain);
    expect(narrow.split('\n')[0]).toBe('ID     NAME       STATE');
  });

  test('removes control characters from stored text before printing it', () => {
    const text = renderTable({ headings: ['NAME'], rows: [['a\u001b[2Jb\u202ec\nd']] }, undefined, plain);
    expect(text).toBe('NAME\na\ufffd[2Jb\ufffdc\ufffdd');
  });
});
