// Fills the demo magazine with two weeks of work: users, keys, tokens, drafts, schedules,
// webhooks and traffic.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from '../../../server/src/authoring/desk.ts';
import { buildSetUpToken, setUp } from '../../../server/src/authoring/people/set-up.ts';
import { signIn } from '../../../server/src/authoring/people/sign-in.ts';
import { createUser, updateUser } from '../../../server/src/authoring/people/users.ts';
import { createSite } from '../../../server/src/authoring/sites/sites.ts';
import type { TestService } from '../../../server/test/support/service.ts';
import type { Colleague } from '../screens/screen.ts';
import type { Clock } from './clock.ts';
import { createKeys } from './create-keys.ts';
import { createWebhooks } from './create-webhooks.ts';
import { editContent, renameContent } from './edit-content.ts';
import { openDesk } from './open-desk.ts';
import {
  BRAM,
  buildActor,
  buildUserId,
  ELSPETH,
  MAUD,
  NOEMIE,
  type Person,
  refuseFailure,
  VISITOR,
  YUSUF,
} from './people.ts';
import { readAnHour } from './read-an-hour.ts';

const BUNDLE = join(import.meta.dirname, '../../../server/demo/magazine.ndjson');

/** @returns a colleague who can change content while a screen is open */
export async function furnishSite(service: TestService, clock: Clock): Promise<Colleague> {
  const desk = openDesk(service.storage, clock.now);
  clock.turnTo(16, '08:05');
  const token = buildSetUpToken(service.storage);
  await setUp(comeAs(desk, ELSPETH), { ...ELSPETH, token, accountName: 'Deckle Magazine', visitor: VISITOR });
  const records = readRecords();
  await service.importBundle(BUNDLE);
  const fair = { id: 's_fair', name: 'The Paper Fair', url: 'https://fair.example' };
  await createSite(desk, buildActor(ELSPETH), { ...fair, defaultLanguage: 'en', languages: ['en', 'de', 'fr'] });
  const credentials = await createKeys(desk, clock);
  await invitePeople(desk, clock);
  await editContent(desk, clock, records);
  await createWebhooks(desk, clock);
  clock.turnTo(0, '08:41');
  await readAnHour(service, clock, credentials);
  return { rename: (contentId, name) => renameContent(desk, contentId, name) };
}

function readRecords(): readonly object[] {
  const lines = readFileSync(BUNDLE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): object => JSON.parse(line));
}

async function invitePeople(desk: Desk, clock: Clock): Promise<void> {
  clock.turnTo(15, '09:12');
  for (const person of [MAUD, BRAM, NOEMIE, YUSUF]) {
    await createUser(comeAs(desk, person), buildActor(ELSPETH), person);
  }
  clock.turnTo(4, '11:30');
  await signIn(desk, { ...NOEMIE, visitor: VISITOR }, refuseFailure);
  const suspension = { name: undefined, role: undefined, isSuspended: true, password: undefined };
  await updateUser(desk, buildActor(NOEMIE), buildUserId(YUSUF), suspension);
}

/** A `Desk` that gives this person's fixed UUID to the user it creates. */
function comeAs(desk: Desk, { uuid }: Person): Desk {
  return { ...desk, newUuid: () => uuid };
}
