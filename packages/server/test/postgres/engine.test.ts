// PostgreSQL-specific engine behaviour: stamps, one writer across all nodes, lost connections, and errors.

import { once } from 'node:events';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertAccount, selectAccount, selectAccountById } from '../../src/storage/accounts/accounts.ts';
import { ConstraintViolation, StorageUnavailable } from '../../src/storage/engine.ts';
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts';
import { translatePostgresError } from '../../src/storage/postgres/postgres-errors.ts';
import { openSession } from '../../src/storage/postgres/read-server.ts';
import { buildOpenReading, findSession } from '../../src/storage/postgres/session.ts';
import { defineStatement, type Procedure, query, type Statement, slot } from '../../src/storage/statement.ts';
import { startPoolerProxy } from '../support/pooler-proxy.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

/** The planner settings that have not been reset. */
const selectSettings = defineStatement(
  () => sql`select name from pg_settings
    where (name like 'enable%' or name like '%parallel%' or name in ('plan_cache_mode', 'jit')) and setting <> reset_val`,
);
const selectStatements = defineStatement(() => sql`select statement from pg_prepared_statements`);

describe('the PostgreSQL engine', () => {
  let database: PostgresDatabase;
  let engine: PostgresEngine;
  let client: Client;

  beforeEach(async () => {
    database = await createPostgresDatabase(TEMPLATE);
    engine = new PostgresEngine(database.url.url);
    client = new Client(database.url.url);
    client.on('error', () => {});
    await client.connect();
  });

  afterEach(async () => {
    await engine.close();
    await client.end();
    await database.remove();
  });

  function readStamp(): Promise<number> {
    return engine.read(function* (stamp): Procedure<number> {
      yield* selectAccount(1);
      return stamp;
    });
  }

  function addAccount(id: string, on = engine, options = {}): Promise<number> {
    return on.transaction((transaction) => transaction.run(insertAccount(id, id, 0)), options);
  }

  async function provoke(text: string): Promise<unknown> {
    return client.query(text).then(
      () => undefined,
      (error: unknown) => translatePostgresError(error),
    );
  }

  test('assigns a new stamp to each state with new data, and the stamp is the same on every node', async () => {
    const before = await readStamp();
    expect(await readStamp()).toBe(before);
    await engine.transaction((transaction) => transaction.run(selectAccount(1)));
    expect([await readStamp(), engine.ownStamp]).toEqual([before, undefined]);
    await addAccount('o_a');
    const after = await readStamp();
    expect(after).toBeGreaterThan(before);
    expect(engine.ownStamp).toBe(after);
    await expect(addAccount('o_a')).rejects.toBeInstanceOf(ConstraintViolation);
    expect(await readStamp()).toBe(after);
  });

  test('notifies all nodes of a new stamp', async () => {
    await client.query('listen galley_moment');
    const heard = once(client, 'notification');
    await addAccount('o_a');
    expect(await heard).toMatchObject([{ payload: String(engine.ownStamp) }]);
  });

  test('restarts a request if data has been written since the previous request', async () => {
    const other = new PostgresEngine(database.url.url);
    const countAccounts = defineStatement(() => sql`select count(*) as accounts from accounts`);
    const begun: number[] = [];
    const read = (): Promise<unknown> =>
      engine.readForRequest(function* (stamp): Procedure<unknown> {
        begun.push(stamp);
        return yield* query(countAccounts);
      }, 'test');
    await read();
    expect([await read(), begun.length]).toEqual([[{ accounts: 1 }], 2]);
    await addAccount('o_a', other);
    expect([await read(), begun.length]).toEqual([[{ accounts: 2 }], 4]);
    expect(begun[3]).toBe(other.ownStamp);
    await other.close();
  });

  test('runs the reads for a request only once, and returns the rows, if any, in order', async () => {
    const read = async (statement: Statement): Promise<unknown> => {
      let begun = 0;
      const rows = await engine.readForRequest(function* (): Procedure<unknown> {
        begun += 1;
        return yield* query(statement);
      }, 'test');
      return [rows, begun];
    };
    await readStamp();
    expect(await read(defineStatement(() => sql`select id from accounts where id = 'o_none'`))).toEqual([[], 1]);
    expect(await read(defineStatement(() => sql`select null as nothing from accounts`))).toEqual([
      [{ nothing: null }],
      1,
    ]);
    const numbers = Array.from({ length: 500 }, (_, index) => ({ number: 1000 - index }));
    const descend = defineStatement(
      () => sql`select number from generate_series(1, 1000) as number order by number desc limit 500`,
    );
    expect(await read(descend)).toEqual([numbers, 1]);
  });

  test('serves each request from a single snapshot, even if another node writes between two statements', async () => {
    const other = new PostgresEngine(database.url.url);
    const countAccounts = defineStatement(() => sql`select count(*) as accounts from accounts`);
    const waitForTest = defineStatement(() => sql`select pg_advisory_xact_lock(77)`);
    await readStamp();
    await client.query('select pg_advisory_lock(77)');
    let begun = 0;
    const counts = engine.readForRequest(function* (): Procedure<unknown> {
      begun += 1;
      const before = yield* query(countAccounts);
      if (begun === 1) void addAccount('o_b', other).finally(() => client.query('select pg_advisory_unlock(77)'));
      yield* query(waitForTest);
      return [before, yield* query(countAccounts)];
    }, 'test');
    expect(await counts).toEqual([[{ accounts: 2 }], [{ accounts: 2 }]]);
    expect(begun).toBe(2);
    await other.close();
  });

  test('recovers after the server has closed its connections, including those in use', async () => {
    const end =
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()';
    await readStamp();
    const interrupted = engine.transaction(async (transaction) => {
      await transaction.run(insertAccount('o_a', 'A', 0));
      await client.query(end);
      await transaction.run(insertAccount('o_b', 'B', 0));
    });
    await expect(interrupted).rejects.toBeInstanceOf(StorageUnavailable);
    await expect.poll(() => readStamp().catch(() => undefined)).toBeTypeOf('number');
    await addAccount('o_b');
    expect(await engine.read(() => selectAccountById('o_a'))).toBeUndefined();
  });

  test('leaves no state on a connection that a pooler could pass on to another client', async () => {
    await using pooler = await startPoolerProxy(database.url.url);
    const pooled = new PostgresEngine(pooler.url);
    for (const _ of [1, 2, 3]) await pooled.readForRequest(() => selectAccountById('o_main'), 'test');
    for (const id of ['o_a', 'o_b', 'o_c']) await addAccount(id, pooled);
    expect(await pooled.read(() => query(selectStatements))).toEqual([]);
    expect(await pooled.transaction(({ run }) => run(query(selectStatements)))).toEqual([]);
    await pooled.close();
    const alone = new Client(pooler.url);
    await alone.connect();
    openSession(alone, buildOpenReading);
    expect(
      (await alone.query(`select name from pg_settings where name = 'plan_cache_mode' and source = 'session'`)).rows,
    ).toEqual([]);
    expect(findSession(alone)).toBeUndefined();
    await alone.end();
  });

  test('applies session settings only if the connection still belongs to the given server process', async () => {
    const readSettings = async (): Promise<readonly string[]> => {
      const { rows } = await client.query("select name from pg_settings where source = 'session' order by name");
      return rows.map(({ name }) => name);
    };
    const { rows } = await client.query('select pg_backend_pid() as process');
    const before = await readSettings();
    expect(await client.query(buildOpenReading(rows[0].process + 1))).toHaveProperty('rowCount', 0);
    expect(await readSettings()).toEqual(before);
    expect(await client.query(buildOpenReading(rows[0].process))).toHaveProperty('rowCount', 1);
    expect(await readSettings()).toEqual(
      expect.arrayContaining(['enable_sort', 'plan_cache_mode', 'statement_timeout']),
    );
  });

  describe('on a direct connection to the server', () => {
    /** The statements that the server has prepared, and how often it used a custom or a generic plan for each. */
    const selectPlans = defineStatement(
      () => sql`select statement, custom_plans as anew, generic_plans as once from pg_prepared_statements`,
    );
    const selectFirst = defineStatement(() => sql`select id from accounts where no = ${slot('no')}`);
    const ask = (statement: Statement): Promise<unknown> =>
      engine.readForRequest(() => query(statement, { no: 1 }), 'test');

    test('plans a repeated statement once, unless the plan depends on its values', async () => {
      const anew = defineStatement(() => sql`select name from accounts where no = ${slot('no')}`, {
        isPlannedOnce: false,
      });
      await readStamp();
      for (const _ of [1, 2, 3]) await ask(selectFirst);
      for (const _ of [1, 2, 3]) await ask(anew);
      const statement = expect.stringContaining('select id');
      expect(await engine.read(() => query(selectPlans))).toEqual([{ statement, anew: 0, once: 2 }]);
    });

    test('plans a repeated write only once, even after filling tables has deleted the plans', async () => {
      const listWrites = async (): Promise<readonly string[]> => {
        const rows = await engine.transaction(({ run }) => run(query<{ statement: string }>(selectStatements)));
        return rows.map(({ statement }) => statement).filter((text) => text.startsWith('insert into accounts'));
      };
      for (const id of ['o_a', 'o_b', 'o_c']) await addAccount(id);
      expect(await listWrites()).toHaveLength(1);
      await engine.transaction(async ({ fill, run }) => {
        await run(insertAccount('o_d', 'D', 0));
        await fill(
          () => true,
          () => run(insertAccount('o_e', 'E', 0)),
        );
        await run(insertAccount('o_f', 'F', 0));
      });
      expect(await listWrites()).toEqual([]);
      for (const id of ['o_g', 'o_h', 'o_i']) await addAccount(id);
      expect(await listWrites()).toHaveLength(1);
    });

    test('plans a write without scanning a table, however small the table is', async () => {
      const explain = defineStatement(() => sql`explain select id from accounts where id = ${slot('id')}`);
      await addAccount('o_a');
      const lines = await engine.transaction(({ run }) => run(query(explain, { id: 'o_a' })));
      expect(JSON.stringify(lines)).toContain('Index');
      expect(JSON.stringify(lines)).not.toContain('Seq Scan');
    });

    test("plans editors' queries with the server's own configuration", async () => {
      await ask(selectSettings);
      expect(await engine.readForRequest(() => query(selectSettings), 'test')).not.toEqual([]);
      expect(await engine.read(() => query(selectSettings))).toEqual([{ name: 'jit' }]);
      expect(await engine.snapshot(({ run }) => run(query(selectSettings)))).toEqual([]);
    });

    test('uses a custom plan from the first request if the plan depends on the values', async () => {
      const selectMode = defineStatement(() => sql`select current_setting('plan_cache_mode') as mode`, {
        isPlannedOnce: false,
      });
      const modes: unknown[] = [];
      for (const _ of [1, 2, 3]) modes.push(...(await engine.readForRequest(() => query(selectMode), 'test')));
      expect(modes).toEqual([{ mode: 'auto' }, { mode: 'force_custom_plan' }, { mode: 'force_custom_plan' }]);
    });

    test('switches to a different connection if the server has lost a prepared statement', async () => {
      const forget = defineStatement(() => sql`deallocate all`);
      await readStamp();
      for (const _ of [1, 2, 3]) expect(await ask(selectFirst)).toEqual([{ id: 'o_main' }]);
      await engine.read(() => query(forget));
      await expect(ask(selectFirst)).rejects.toBeInstanceOf(StorageUnavailable);
      for (const _ of [1, 2, 3]) expect(await ask(selectFirst)).toEqual([{ id: 'o_main' }]);
    });
  });

  test('leaves no state behind after filling tables, whether that succeeds or fails', async () => {
    const fill = (id: string): Promise<unknown> =>
      engine.transaction((transaction) =>
        transaction.fill(
          () => false,
          () => transaction.run(insertAccount(id, id, 0)),
        ),
      );
    const readNames = (): Promise<readonly unknown[]> =>
      engine.transaction((transaction) => transaction.run(query(selectStatements)));
    await fill('o_filled');
    expect(await readNames()).toEqual([]);
    await expect(fill('o_filled')).rejects.toBeInstanceOf(ConstraintViolation);
    expect(await readNames()).toEqual([]);
    const settings = await engine.transaction((transaction) => transaction.run(query(selectSettings)));
    // The settings of every write transaction.
    expect(settings).toEqual([{ name: 'enable_seqscan' }, { name: 'jit' }]);
  });

  test("updates the planner's row counts for the tables it has filled", async () => {
    const count = 500;
    await engine.transaction((transaction) =>
      transaction.fill(
        () => false,
        async () => {
          for (let no = 0; no < count; no += 1) await transaction.run(insertAccount(`o_${no}`, 'A', 0));
        },
      ),
    );
    const { rows } = await client.query("select reltuples::int as rows from pg_class where relname = 'accounts'");
    expect(rows).toEqual([{ rows: count + 1 }]);
  });

  test('analyses tables while they are being filled, based on the number of rows, not the number of steps', async () => {
    const selectKnown = defineStatement(
      () => sql`select reltuples::int as rows from pg_class where relname = 'accounts'`,
    );
    const insertMany = function* (): Procedure<void> {
      for (let no = 0; no < 1500; no += 1) yield* insertAccount(`o_${no}`, 'A', 0);
    };
    const known = await engine.transaction((transaction) =>
      transaction.fill(
        () => false,
        async () => {
          await transaction.run(insertMany());
          return transaction.run(query(selectKnown));
        },
      ),
    );
    expect(known).toEqual([{ rows: 1501 }]);
  });

  test('reports the write that failed, not the statements sent after it, and rolls everything back', async () => {
    const insert = (id: string) =>
      defineStatement(() => sql`insert into accounts (id, name, created_at) values (${id}, 'A', 0)`);
    const work = function* (last: string): Procedure<void> {
      for (const id of ['o_a', 'o_main', 'o_b']) yield* query(insert(id));
      if (last === 'read') yield* selectAccountById('o_b');
    };
    for (const last of ['read', 'write']) {
      const writing = engine.transaction((transaction) => transaction.run(work(last)));
      await expect(writing, last).rejects.toBeInstanceOf(ConstraintViolation);
      expect(await engine.read(() => selectAccountById('o_a'))).toBeUndefined();
    }
  });

  test('matches nothing when a value contains a NUL character', async () => {
    expect(await engine.read(() => selectAccountById('o_\0main'))).toBeUndefined();
  });

  test('distinguishes all kinds of constraint violations from other errors', async () => {
    await client.query("create table a (n integer primary key, t text not null unique check (t <> ''))");
    await client.query('create table b (n integer references a (n))');
    await client.query("insert into a values (1, 'x')");
    for (const text of [
      "insert into a values (1, 'y')",
      "insert into a values (2, 'x')",
      'insert into a values (2, null)',
      "insert into a values (2, '')",
      'insert into b values (7)',
    ]) {
      expect(await provoke(text), text).toBeInstanceOf(ConstraintViolation);
    }
    expect(await provoke("set statement_timeout = '10ms'; select pg_sleep(5)")).toBeInstanceOf(StorageUnavailable);
    expect(await provoke('execute forgotten')).toBeInstanceOf(StorageUnavailable);
    for (const text of ['select nothing from a', 'not sql', 'select 1 / 0']) {
      const error = await provoke(text);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(ConstraintViolation);
      expect(error).not.toBeInstanceOf(StorageUnavailable);
    }
  });

  test('passes on unrelated errors unchanged', () => {
    for (const error of [new Error('other'), new TypeError('x'), 'text', undefined, { code: '23505' }]) {
      expect(translatePostgresError(error)).toBe(error);
    }
  });
});
