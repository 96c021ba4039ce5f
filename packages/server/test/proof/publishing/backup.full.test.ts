// Runs `galley backup` while a service publishes and unpublishes content. Every copy must be intact and match the site's state
// after one of the steps. The sequence of steps is known, and each publish is identified by its publish time.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { publishById, unpublishById } from '../../../src/authoring/command-work.ts';
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts';
import { importText } from '../../import/export-database.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { makeFolder, runForJson } from '../../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../../support/small-site.ts';
import { findDatabaseFaults } from '../find-database-faults.ts';

const BACKUPS = proofSize(3, 20);
const MOVING = 40;
/** Static content. It makes a backup take long enough for steps to happen in the meantime. */
const RESTING = 400;
const FIRST_TIME = Date.parse('2020-01-01T00:00:00Z');

const counted = { backups: 0, steps: 0, during: 0 };

test('backups taken during publishing are intact, and each is a consistent snapshot', async () => {
  await using folder = await makeFolder();
  const cwd = folder.path;
  const path = join(cwd, 'data/galley.db');
  const storage = await openSqlite(path, Date.now());
  const progress = { begun: 0, done: 0 };
  let isOver = false;
  try {
    await importText(storage, cwd, toLines([siteRecord(), typeRecord(), ...drawContents()]));
    const firstGeneration = readMoment(path).generation;

    const publishing = (async () => {
      while (!isOver) {
        progress.begun += 1;
        await takeStep(progress.begun);
        progress.done = progress.begun;
        await setImmediate();
      }
    })();

    let last = -1;
    for (let number = 1; number <= BACKUPS; number++) {
      const file = `backup-${number}.db`;
      const run = async () => {
        const before = progress.done;
        await Promise.race([runForJson(['backup', file], { cwd }), publishing]);
        return { before, after: progress.begun };
      };
      const { before, after } = await (number % 2 === 1 ? duringLongRead(run) : run());
      const copy = join(cwd, file);
      expect(findDatabaseFaults(copy)).toEqual([]);
      const { generation, ...moment } = readMoment(copy);
      const steps = generation - firstGeneration;
      expect(steps).toBeGreaterThanOrEqual(before);
      expect(steps).toBeLessThanOrEqual(after);
      expect(steps).toBeGreaterThan(last);
      expect(moment).toEqual(expectMoment(steps));
      await (await openSqlite(copy, Date.now())).close();
      last = steps;
      counted.during += after - before;
      counted.backups += 1;
    }
    isOver = true;
    await publishing;
    counted.steps = progress.done;
    expect(counted.during).toBeGreaterThan(BACKUPS);
    expect(readMoment(path).generation - firstGeneration).toBe(progress.done);
    const { backups, steps, during } = counted;
    reportProof(
      `backup: ${backups} backups during ${steps} publishes and unpublishes (${during} of them during a backup); each ` +
        `could be opened, passed the integrity check and was a consistent snapshot`,
    );
  } finally {
    isOver = true;
    await storage.close();
  }

  /** Runs a function while a reader keeps its snapshot open, so later commits are only in the log and not in the file. */
  function duringLongRead<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
    return storage.snapshot(async () => {
      const next = progress.begun + 1;
      while (progress.done < next) await setImmediate();
      return run();
    });
  }

  /** All objects are published one after the other, then unpublished in the same order, and so on. */
  async function takeStep(step: number): Promise<void> {
    const contentId = `c_${(step - 1) % MOVING}`;
    const request = { contentId, siteId: 's_small', now: timeOf(step) };
    if (isPublish(step)) await publishById(storage, request);
    else await unpublishById(storage, request);
  }
});

function isPublish(step: number): boolean {
  return Math.floor((step - 1) / MOVING) % 2 === 0;
}

function timeOf(step: number): number {
  return FIRST_TIME + step * 1000;
}

function drawContents(): readonly object[] {
  const text = 'Content that has to be copied. '.repeat(500);
  const fields = { title: { text }, rank: { number: 1 }, related: { content_links: ['c_0'] } };
  return [
    ...Array.from({ length: MOVING }, (_, index) => postRecord(`c_${index}`, { status: 'draft', fields })),
    ...Array.from({ length: RESTING }, (_, index) => postRecord(`c_rest_${index}`, { status: 'draft', fields })),
  ];
}

/** The state of the changing content in every table that is visible to readers or editors. */
function readMoment(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = (text: string) => database.prepare(text).all().map(Object.values).map(String).sort();
    const moving = "id not like 'c_rest_%'";
    return {
      generation: Number(database.prepare('select generation from sites').get()?.generation),
      records: rows(`select id, status, coalesce(published_at, 0) from contents where ${moving}`),
      published: rows(`select id, published_at from published_contents where ${moving}`),
      texts: rows(`select id from published_texts where ${moving}`),
      numbers: rows(`select id from published_numbers where ${moving}`),
      preview: rows(`select id from preview_contents where ${moving}`),
      previewTexts: rows(`select id from preview_texts where ${moving}`),
      tokens: [Number(database.prepare('select count(*) as count from published_tokens').get()?.count)],
    };
  } finally {
    database.close();
  }
}

function expectMoment(steps: number): Omit<ReturnType<typeof readMoment>, 'generation'> {
  const ids = Array.from({ length: MOVING }, (_, index) => `c_${index}`);
  const lastSteps = ids.map((id, index) => {
    const rounds = Math.ceil((steps - index) / MOVING);
    return { id, step: rounds <= 0 ? undefined : (rounds - 1) * MOVING + index + 1 };
  });
  const published = lastSteps.flatMap(({ id, step }) => (step !== undefined && isPublish(step) ? [{ id, step }] : []));
  const publishedIds = published.map(({ id }) => id).sort();
  const otherIds = ids.filter((id) => !publishedIds.includes(id)).sort();
  const records = lastSteps.map(({ id, step }) => {
    if (step === undefined) return `${id},draft,0`;
    return isPublish(step) ? `${id},published,${timeOf(step)}` : `${id},unpublished,0`;
  });
  return {
    records: records.sort(),
    published: published.map(({ id, step }) => `${id},${timeOf(step)}`).sort(),
    texts: publishedIds,
    numbers: publishedIds,
    preview: otherIds,
    previewTexts: otherIds,
    tokens: [publishedIds.length],
  };
}
