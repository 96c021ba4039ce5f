// The tables that the delivery API reads contain exactly the published content, after any sequence of changes.

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../../src/open-storage.ts';
import { defineStatement, query } from '../../../src/storage/statement.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { content, contentType, site } from '../../conformance/records.ts';
import { chance, type Draw, pick, runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { importRecords, publish, unpublish } from '../../storage/editor.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../../support/test-database.ts';

const SITE = 's_model';
const IDS = ['c_0', 'c_1', 'c_2', 'c_3', 'c_4'];
const STATUSES = ['draft', 'published', 'unpublished', 'archived'] as const;
const STEPS = proofSize(60, 600);

const CATALOG = [
  site(SITE),
  contentType(SITE, 'note', [
    { handle: 'line', type: 'text' },
    { handle: 'rank', type: 'number' },
    { handle: 'lit', type: 'boolean' },
  ]),
];

/** The values saved last, and those that readers should see. */
interface Expected {
  readonly newest: string;
  readonly published: string | null;
  readonly isArchived: boolean;
}

type Model = Map<string, Expected>;

describe.each(ENGINES)('the published read model on %s', (engine) => {
  let database: TestDatabase;
  let storage: Storage;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    storage = await openStorage(database.url, Date.now());
    await importRecords(storage, CATALOG);
  });

  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  test('never contains unpublished content, in whatever order content is imported, published and unpublished', async () => {
    const model: Model = new Map();
    for (const seed of seeds(1)) {
      await runSeeded(seed, async (draw) => {
        for (let step = 0; step < STEPS; step++) {
          await takeStep(draw, storage, model, `${seed}-${step}`);
          expect(await readModel(storage, 'published'), `step ${step}`).toEqual(expectPublished(model));
          expect(await readModel(storage, 'preview'), `step ${step}`).toEqual(expectPreview(model));
        }
      });
    }
    reportProof(`${STEPS} imports, publications and withdrawals: the read model always matched`);
  });
});

async function takeStep(draw: Draw, storage: Storage, model: Model, mark: string): Promise<void> {
  const id = pick(draw, IDS);
  const known = model.get(id);
  const kind = pick(draw, ['import', 'broken import', 'publish', 'unpublish'] as const);
  if (kind === 'import') {
    const status = pick(draw, STATUSES);
    const hasDraft = chance(draw, 40);
    await importRecords(storage, [note(id, mark, status, hasDraft)]);
    const newest = hasDraft ? `${mark} draft` : mark;
    model.set(id, { newest, published: status === 'published' ? mark : null, isArchived: status === 'archived' });
    return;
  }
  if (kind === 'broken import') {
    const records = [
      note(id, mark, pick(draw, STATUSES), chance(draw, 40)),
      content({ id: 'c_x', site: SITE, author: 'u_x' }),
    ];
    await expect(importRecords(storage, records)).rejects.toThrow(/u_x does not exist/);
    return;
  }
  if (kind === 'publish') {
    if (known === undefined || known.isArchived) {
      await expect(publish(storage, SITE, id)).rejects.toThrow(/no content|archived/);
      return;
    }
    await publish(storage, SITE, id);
    model.set(id, { ...known, published: known.newest });
    return;
  }
  if (known === undefined || known.published === null) {
    await expect(unpublish(storage, SITE, id)).rejects.toThrow(findRefusal(id, known));
    return;
  }
  await unpublish(storage, SITE, id);
  model.set(id, { ...known, published: null });
}

/** The error expected when unpublishing content that is not published. */
function findRefusal(id: string, known: { readonly isArchived: boolean } | undefined): RegExp {
  if (known === undefined) return new RegExp(`^There is no content ${id} in site ${SITE}\\.$`);
  return new RegExp(
    `^Content ${id} is ${known.isArchived ? 'archived; it can only be restored' : 'not published'}\\.$`,
  );
}

/** Every value identifies the save it comes from. */
function note(id: string, mark: string, status: (typeof STATUSES)[number], hasDraft: boolean): object {
  const values = (text: string) => ({
    name: text,
    fields: { line: { text }, rank: { number: text.length }, lit: { is_on: true } },
  });
  return content({
    id,
    site: SITE,
    status,
    ...values(mark),
    ...(hasDraft && { draft: values(`${mark} draft`) }),
  });
}

/** The mark of each object in each of the model's tables, keyed by ID. It must be the same in all tables. */
type Marks = Readonly<Record<string, readonly unknown[]>>;

function marksOf(mark: string): readonly unknown[] {
  return [mark, true, mark, mark.length, 1];
}

function expectPublished(model: Model): Marks {
  return Object.fromEntries(
    [...model].flatMap(([id, { published }]) => (published === null ? [] : [[id, marksOf(published)]])),
  );
}

function expectPreview(model: Model): Marks {
  return Object.fromEntries(
    [...model].flatMap(([id, { newest, published, isArchived }]) =>
      isArchived || newest === published ? [] : [[id, marksOf(newest)]],
    ),
  );
}

interface ModelRow {
  readonly id: string | null;
  readonly name: string | null;
  readonly body: string | null;
  readonly text: string | null;
  readonly number: number | null;
  readonly tokens: number;
}

const statements = {
  published: defineModelStatement('published'),
  preview: defineModelStatement('preview'),
};

/** Starts from the values, to detect values without content. */
function defineModelStatement(model: 'published' | 'preview') {
  const table = (name: string) => sql.table(`${model}_${name}`);
  return defineStatement(
    () => sql`select c.id as id, c.name as name, b.body as body, t.key as text, n.key as number,
        (select count(*) from ${table('tokens')} as k where k.content_no = a.content_no) as tokens
      from (select content_no from ${table('contents')} union select content_no from ${table('bodies')}
        union select content_no from ${table('texts')} union select content_no from ${table('numbers')} union select content_no from ${table('tokens')}) as a
      left join ${table('contents')} as c on c.content_no = a.content_no
      left join ${table('bodies')} as b on b.content_no = a.content_no
      left join ${table('texts')} as t on t.content_no = a.content_no
      left join ${table('numbers')} as n on n.content_no = a.content_no`,
  );
}

async function readModel(storage: Storage, model: 'published' | 'preview'): Promise<Marks> {
  const rows = await storage.read(query<ModelRow>(statements[model]));
  return Object.fromEntries(
    rows.map(({ id, name, body, text, number, tokens }) => [
      id ?? 'a value without content',
      [name, body?.includes(`"name":${JSON.stringify(name)}`), text, number, tokens],
    ]),
  );
}
