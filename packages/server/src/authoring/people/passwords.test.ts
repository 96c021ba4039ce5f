import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  findPasswordFaults,
  hashPassword,
  isHashCurrent,
  NOBODYS_HASH,
  SALT_BYTES,
  verifyPassword,
} from './passwords.ts';

const ada = { email: 'Ada.Lovelace@example.com', name: 'Ada Lovelace King' };

test.each([
  ['twelve chars', true],
  ['eleven char', false],
  ['', false],
  ['😀'.repeat(12), true],
  ['😀'.repeat(11), false],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['😀'.repeat(200), true],
  ['😀'.repeat(201), false],
  [' ada.lovelace@EXAMPLE.com', false],
  ['ada lovelace king', false],
  ['ada lovelace kings', true],
])('accepts the password %j: %s', (password, isAccepted) => {
  const faults = findPasswordFaults('password', password, ada);
  expect(faults).toEqual(
    isAccepted
      ? []
      : [
          {
            path: 'password',
            message: "must be 12 to 200 characters long, and must not be the user's name or email address",
            code: 'password_invalid',
            values: { min: 12, max: 200 },
          },
        ],
  );
});

describe('a password hash', () => {
  test('is an argon2id PHC string with the parameters that OWASP recommends, and differs each time', async () => {
    const hashes = await Promise.all([1, 2].map(() => hashPassword('correct horse', randomBytes(SALT_BYTES))));
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test('matches only its own password, even with many checks at once', async () => {
    const hash = await hashPassword('correct horse', randomBytes(SALT_BYTES));
    const tried = ['correct horse', 'correct Horse', 'correct horse ', '', 'correct horse', NOBODYS_HASH];
    const outcomes = await Promise.all(tried.map((password) => verifyPassword(password, hash)));
    expect(outcomes).toEqual([true, false, false, false, true, false]);
  });

  test('matches its password regardless of how a keyboard encodes accents', async () => {
    const hash = await hashPassword('caf\u00e9 au lait', randomBytes(SALT_BYTES));
    expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true);
  });

  test('still works if an earlier release created it with different parameters, and is reported as outdated', async () => {
    const nonce = randomBytes(SALT_BYTES);
    const cost = { memory: 1024, passes: 3, parallelism: 2 };
    const tag = argon2Sync('argon2id', { message: 'correct horse', nonce, tagLength: 16, ...cost });
    const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
    const old = `$argon2id$v=19$m=1024,t=3,p=2$${encode(nonce)}$${encode(tag)}`;
    expect(await verifyPassword('correct horse', old)).toBe(true);
    expect(await verifyPassword('another horse', old)).toBe(false);
    expect(isHashCurrent(old)).toBe(false);
    expect(isHashCurrent(await hashPassword('correct horse', nonce))).toBe(true);
  });

  test('is reported as a bug, not as a wrong password, if it cannot be parsed', async () => {
    await expect(verifyPassword('correct horse', 'md5:1234')).rejects.toThrow('cannot be parsed');
  });

  test('matches no password if the user is unknown', async () => {
    expect(await verifyPassword('', NOBODYS_HASH)).toBe(false);
    expect(isHashCurrent(NOBODYS_HASH)).toBe(true);
  });
});
