// Exports random sites with drafts, schedules, hidden fields, and archived and unpublished content, all changed after they were first
// saved. Once imported into an empty database, they must export to the same bytes, and readers must get the same responses.

import { afterAll, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { AuthoringRefusal } from '../../../src/authoring/authoring-refusal.ts';
import { archiveContent, restoreContent, scheduleContent } from '../../../src/authoring/contents/publish-content.ts';
import { saveContent } from '../../../src/authoring/contents/save-content.ts';
import type { Desk } from '../../../src/authoring/desk.ts';
import { setDefaultLanguage } from '../../../src/authoring/sites/sites.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { selectRecord } from '../../../src/storage/contents/content-records.ts';
import { selectConsistency } from '../../../src/storage/inspection.ts';
import { selectSite } from '../../../src/storage/sites/select-catalog.ts';
import { exportText, importText } from '../../import/export-database.ts';
import type { BundleRecord, ContentRecord } from '../../oracle/bundle.ts';
import { chance, type Draw, drawNumber, pick, runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { drawListRequest, drawObjectRequest, type RandomRequest } from '../../oracle/random-request.ts';
import { drawBundle, type RandomSite } from '../../oracle/random-site.ts';
import { get, urlOf } from '../../oracle/service-call.ts';
import { makeFolder } from '../../support/galley-command.ts';
import { startService, type TestService } from '../../support/service.ts';
import { createTestDatabase, giveSameKey } from '../../support/test-database.ts';

const SITES = proofSize(3, 150);
const REQUESTS_PER_SITE = 40;
/** Responses contain absolute URLs, which must be the same on both services. */
const SETTINGS = { GALLEY_PUBLIC_URL: 'https://api.example' };

const createDatabase = async () => giveSameKey(await createTestDatabase());

const FAR = Date.parse('2999-01-01T00:00:00Z');

const counted = { sites: 0, contents: 0, changes: 0, bytes: 0, answers: 0 };

afterAll(() => {
  const { sites, contents, changes, bytes, answers } = counted;
  reportProof(
    `round trips: ${sites} random sites with ${contents} content objects and ${changes} changes to them, ${bytes} bytes ` +
      `exported twice; ${answers} responses compared`,
  );
});

test('random sites survive export, import and another export byte for byte, with the same delivery responses', async () => {
  for (const seed of seeds(SITES)) {
    await runSeeded(seed, async (draw) => {
      const source = await startService(SETTINGS, { createDatabase });
      const copy = await startService(SETTINGS, { createDatabase });
      await using folder = await makeFolder();
      try {
        const { sites } = drawBundle(draw, 'r');
        await source.importRecords(sites.flatMap(({ records }) => records.map((record) => hideFields(draw, record))));
        const [main] = sites;
        if (main === undefined) throw new Error('a bundle has at least one site');
        await changeLater(draw, source, main);
        expect(await source.storage.read(selectConsistency(0, 0))).toMatchObject({ counts_wrong: 0 });
        const text = await exportText(source.storage, main.site.id);
        await importText(copy.storage, folder.path, text);
        expect(await exportText(copy.storage, main.site.id)).toBe(text);
        await compareAnswers(draw, source, copy, main);
        counted.sites += 1;
        counted.contents += main.contents.length;
        counted.bytes += Buffer.byteLength(text);
      } finally {
        await source.close();
        await copy.close();
      }
    });
  }
});

function hideFields(draw: Draw, record: BundleRecord): object {
  if (record.kind !== 'content_type') return record;
  return { ...record, fields: record.fields.map((field) => ({ ...field, ...(chance(draw, 15) && { hidden: true }) })) };
}

/** Later edits to content and content types. Rejected edits have no effect. */
async function changeLater(draw: Draw, service: TestService, random: RandomSite): Promise<void> {
  const desk = createDesk(service.storage);
  const siteId = random.site.id;
  for (const content of random.contents) {
    const address = { siteId, contentId: content.id };
    for (let count = drawNumber(draw, 0, 2); count > 0; count--) {
      const change = pick(draw, [
        () => service.publish(siteId, content.id),
        () => service.unpublish(siteId, content.id),
        () => save(desk, draw, content, random),
        () => save(desk, draw, content, random),
        () => archiveContent(desk, COMMAND_ACTOR, address, { isConfirmed: true }),
        () => restoreContent(desk, COMMAND_ACTOR, address, {}),
        () => scheduleContent(desk, COMMAND_ACTOR, address, { publishAt: FAR + 1, unpublishAt: FAR + 1002 }),
      ]);
      await unlessRefused(change);
    }
  }
  const language = pick(draw, random.site.languages);
  await unlessRefused(() => setDefaultLanguage(desk, COMMAND_ACTOR, siteId, language));
  for (const type of random.types) {
    if (chance(draw, 60)) continue;
    const fields = type.fields.map((field) =>
      field.type === 'option' ? { ...field, options: [{ label: 'Only', value: 'ROT' }] } : field,
    );
    const uri_pattern = pick(draw, ['moved/{slug}', '{language}/{id}']);
    await service.importRecords([{ ...type, uri_pattern, fields: chance(draw, 50) ? fields.toReversed() : fields }]);
  }
}

/** Copies the name and values from other content of the same type, which may lack some values. */
async function save(desk: Desk, draw: Draw, { id, site, content_type }: ContentRecord, random: RandomSite) {
  const siteRow = await desk.storage.read(selectSite(site));
  const record = siteRow && (await desk.storage.read(selectRecord(siteRow.no, id)));
  if (record === undefined) throw new Error(`no content ${id}`);
  const { name, fields } = pick(
    draw,
    random.contents.filter((each) => each.content_type === content_type),
  );
  const more = { ...(chance(draw, 30) && { uri: null }), ...(chance(draw, 30) && { seo: null, author: null }) };
  return saveContent(desk, COMMAND_ACTOR, site, id, { version: record.newestVersion, name, fields, ...more });
}

async function unlessRefused(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
    counted.changes += 1;
  } catch (error) {
    if (!(error instanceof AuthoringRefusal)) throw error;
  }
}

async function compareAnswers(draw: Draw, source: TestService, copy: TestService, random: RandomSite): Promise<void> {
  const foreign = ['c_ra_a0', 'c_rb_Z1'];
  const tokens = await Promise.all([source, copy].map((each) => each.createKey({ allSites: true, preview: true })));
  const [sourceKey, copyKey] = tokens;
  if (sourceKey === undefined || copyKey === undefined) throw new Error('a key is missing');
  for (let count = 0; count < REQUESTS_PER_SITE; count++) {
    const isList = drawNumber(draw, 0, 3) > 0;
    const request = isList ? drawListRequest(draw, random) : drawObjectRequest(draw, random, foreign);
    const [expected, got] = await Promise.all([
      ask(source, sourceKey.token, request),
      ask(copy, copyKey.token, request),
    ]);
    expect(got, `${request.path}?${request.query} ${JSON.stringify(request.headers)}`).toEqual(expected);
    counted.answers += 1;
  }
}

async function ask(service: TestService, token: string, { path, query, headers }: RandomRequest) {
  const { status, text } = await get(urlOf(service.url, path, query), token, headers);
  return { status, text };
}
