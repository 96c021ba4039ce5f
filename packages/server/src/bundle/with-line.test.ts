import { describe, expect, test } from 'vitest';
import { ConstraintViolation } from '../storage/port.ts';
import { BundleFault } from './read-bundle-lines.ts';
import { withLine } from './with-line.ts';

describe('withLine', () => {
  test('names the line that broke a rule of the schema', async () => {
    const work = Promise.reject(new ConstraintViolation('UNIQUE constraint failed: fields.id'));
    const fault: unknown = await withLine(7, work).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BundleFault);
    expect(fault).toMatchObject({
      line: 7,
      message: 'this record and another cannot stand side by side (UNIQUE constraint failed: fields.id)',
    });
  });

  test('leaves everything else as it is', async () => {
    const other = new Error('other');
    await expect(withLine(7, Promise.reject(other))).rejects.toBe(other);
    expect(await withLine(7, Promise.resolve('done'))).toBe('done');
  });
});
