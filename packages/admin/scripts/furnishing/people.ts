// The people who work at the demo magazine, for screenshots and tests of the whole panel.

import type { Actor } from '../../../server/src/authoring/actor.ts';
import type { FailedSignIn } from '../../../server/src/authoring/people/failed-sign-ins.ts';
import { buildUserActor } from '../../../server/src/authoring/people/sessions.ts';
import { buildId } from '../../../server/src/content/ids.ts';
import type { Role } from '../../../server/src/content/role.ts';
import { MAIN_ACCOUNT_NO } from '../../../server/src/storage/accounts/accounts.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  readonly uuid: string;
}

/** The client that all of these people sign in from. */
export const VISITOR = { address: '192.0.2.24', agent: null, sessionToken: undefined } as const;

export const ELSPETH: Person = {
  name: 'Elspeth Garrow',
  email: 'elspeth@magazine.example',
  password: 'a quire of laid paper',
  role: 'owner',
  uuid: '0199d7c0-5e12-7a41-9c3e-52f0b6d81a07',
};

export const MAUD: Person = {
  name: 'Maud Lescure',
  email: 'maud@magazine.example',
  password: 'two reams of old rag',
  role: 'editor',
  uuid: '0199dd1a-8b40-7e26-8f15-3ac94e7702bd',
};

export const BRAM: Person = {
  name: 'Bram Oosterveld',
  email: 'bram@magazine.example',
  password: 'the ear of the letter',
  role: 'editor',
  uuid: '0199dd1f-02c7-7533-b0a8-91de6c45f8e3',
};

export const NOEMIE: Person = {
  name: 'Noémie Castan',
  email: 'noemie@magazine.example',
  password: 'moving the dictionary',
  role: 'owner',
  uuid: '0199dd22-f6d9-7c08-a4b1-07e5d32c96fa',
};

export const YUSUF: Person = {
  name: 'Yusuf Adeyemi',
  email: 'yusuf@magazine.example',
  password: 'six hours on a train',
  role: 'editor',
  uuid: '0199dd25-71be-7b92-9de4-c8f10ba63d54',
};

export function buildUserId({ uuid }: Person): string {
  return buildId('user', uuid);
}

export function buildActor(person: Person): Actor {
  const { name, role } = person;
  return buildUserActor({ id: buildUserId(person), name, role, account_no: MAIN_ACCOUNT_NO }, VISITOR.address);
}

export function refuseFailure({ email, reason }: FailedSignIn): never {
  throw new Error(`${email} cannot sign in: ${reason}`);
}
