import type { Actor } from '../../../server/src/authoring/actor.ts';
import { readContent } from '../../../server/src/authoring/contents/describe-content.ts';
import { scheduleContent } from '../../../server/src/authoring/contents/publish-content.ts';
import type { VersionInput } from '../../../server/src/authoring/contents/read-version.ts';
import { saveContent } from '../../../server/src/authoring/contents/save-content.ts';
import type { Desk } from '../../../server/src/authoring/desk.ts';
import { signIn } from '../../../server/src/authoring/people/sign-in.ts';
import type { Clock } from './clock.ts';
import { BRAM, buildActor, MAUD, refuseFailure, VISITOR } from './people.ts';

const SITE = 's_demo';

/** Creates pending changes and a schedule.
 * @param records the demo bundle */
export async function editContent(desk: Desk, clock: Clock, records: readonly object[]): Promise<void> {
  const bram = buildActor(BRAM);
  const maud = buildActor(MAUD);

  clock.turnTo(1, '10:04');
  await signIn(desk, { ...BRAM, visitor: VISITOR }, refuseFailure);
  await save(desk, bram, 'c_braille', { fields: { ...findFields(records, 'c_braille'), reading_time: { number: 6 } } });
  clock.turnTo(1, '15:31');
  const title = 'The letter that everyone reads and nobody can draw';
  const description = 'The printed g with two storeys is the letter everyone reads and nobody knows.';
  for (const seo of [{ title }, { title, description }, { title, description, robots: 'max-image-preview:large' }]) {
    clock.turnOn(6);
    await save(desk, bram, 'c_lowercase_g', { seo });
  }

  clock.turnTo(0, '08:26');
  await signIn(desk, { ...MAUD, visitor: VISITOR }, refuseFailure);
  const text = 'A sheet of office paper weighs five grams. It took two centuries of argument to agree on that.';
  await save(desk, maud, 'c_paper_weight', {
    fields: { ...findFields(records, 'c_paper_weight'), standfirst: { text } },
  });
  clock.turnOn(9);
  const stay = { publishAt: clock.find(-2, '07:00'), unpublishAt: clock.find(-180, '07:00') };
  await scheduleContent(desk, maud, { siteId: SITE, contentId: 'c_folding' }, stay);
  clock.turnOn(3);
  const end = { unpublishAt: clock.find(-19, '23:00') };
  await scheduleContent(desk, maud, { siteId: SITE, contentId: 'c_bridge_posters' }, end);
}

export function renameContent(desk: Desk, contentId: string, name: string): Promise<void> {
  return save(desk, buildActor(MAUD), contentId, { name });
}

async function save(desk: Desk, actor: Actor, contentId: string, input: VersionInput): Promise<void> {
  const { record } = await readContent(desk, actor, SITE, contentId);
  await saveContent(desk, actor, SITE, contentId, { ...input, version: record.newestVersion });
}

function findFields(records: readonly object[], id: string): object {
  const record = records.find((known) => 'id' in known && known.id === id);
  if (record === undefined || !('fields' in record) || !(record.fields instanceof Object)) {
    throw new Error(`The demo has no content with the ID ${id}`);
  }
  return record.fields;
}
