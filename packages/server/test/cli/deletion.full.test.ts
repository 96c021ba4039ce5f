// Permanent deletion from the command line, as in a script.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createUser } from '../../src/authoring/people/users.ts';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

const RECORDS = [
  siteRecord(),
  { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada Numbat' },
  { kind: 'author', id: 'u_bo', site: 's_small', name: 'Bo' },
  typeRecord(),
  postRecord('c_a', { author: 'u_ada', name: 'Numbat a' }),
  postRecord('c_old', { status: 'archived', name: 'Quokka' }),
];

describe('galley … delete', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let database: string;

  beforeAll(async () => {
    folder = await makeFolder();
    database = join(folder.path, 'data/galley.db');
    const bundle = join(folder.path, 'small.ndjson');
    await writeFile(bundle, toLines(RECORDS));
    const storage = await openSqlite(database, Date.now());
    await importBundle(storage, bundle, { now: Date.now(), newUuid: randomUUIDv7, onProgress: () => {} });
    const desk = { storage, now: Date.now, newUuid: randomUUIDv7, randomBytes };
    for (const name of ['Ada', 'Wombat']) {
      const email = `${name.toLowerCase()}@small.example`;
      await createUser(desk, COMMAND_ACTOR, { email, name, role: 'owner', password: 'correct horse battery' });
    }
    await storage.close();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  const run = (...args: readonly string[]) => runGalley(args, { cwd: folder.path });
  const json = (...args: readonly string[]) => runForJson(args, { cwd: folder.path });
  const dump = () => JSON.stringify(dumpDatabase(database));

  test('reports a usage error and deletes nothing if the confirmation is missing or wrong', async () => {
    const before = dump();
    const unasked = await run('site', 'delete', 's_small');
    expect(unasked).toMatchObject({ status: 2, stdout: '' });
    expect(unasked.stderr).toContain('This will delete the site s_small and everything in it. This cannot be undone.');
    expect(unasked.stderr).toContain('add --confirm s_small');
    const other = await run('user', 'delete', 'ada@small.example', '--confirm', 'wombat@small.example');
    expect(other).toMatchObject({ status: 2, stdout: '' });
    expect(other.stderr).toContain('--confirm must be ada@small.example, got wombat@small.example');
    expect(dump()).toBe(before);
  });

  test('deletes content, an author and a user, and removes their names from the database', async () => {
    expect(await json('content', 'delete', 'c_old', '--confirm', 'c_old')).toEqual({ id: 'c_old', state: 'deleted' });
    const replacing = ['--site', 's_small', '--replace-with', 'u_bo'];
    const author = await json('author', 'delete', 'u_ada', ...replacing, '--confirm', 'u_ada');
    expect(author).toEqual({ id: 'u_ada', state: 'deleted' });
    const user = await run('user', 'delete', 'wombat@small.example', '--confirm', 'wombat@small.example');
    expect(user).toEqual({ status: 0, stdout: 'Deleted the user wombat@small.example.\n', stderr: '' });
    expect(dump()).not.toMatch(/quokka|ada numbat|wombat/i);
    expect(dump()).toMatch(/numbat a/i);
  });

  test('deletes a site and everything in it, and leaves none of its text in the file', async () => {
    expect(await json('site', 'delete', 's_small', '--confirm', 's_small')).toEqual({
      id: 's_small',
      state: 'deleted',
    });
    expect(dump()).not.toMatch(/numbat|small\.example\/|u_bo/i);
    expect((await readFile(database)).toString('latin1')).not.toMatch(/quokka|numbat|wombat/i);
    const again = await run('site', 'delete', 's_small', '--confirm', 's_small');
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no site s_small.') });
  });
});
