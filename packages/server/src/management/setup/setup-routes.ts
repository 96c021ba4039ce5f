// The first owner, created by whoever brings the token of the set-up link. Wrong tokens are counted by address, in this
// process.

import type { SetupBody } from '@galley/wire';
import { z } from 'zod';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Desk } from '../../authoring/desk.ts';
import { setUp } from '../../authoring/people/set-up.ts';
import { ALWAYS, nameMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { buildLimitHeaders, Limiter, refuseExceeded } from '../../http/limiter.ts';
import { ProblemError } from '../../http/problems.ts';
import { hasUsers } from '../../storage/port.ts';
import { type Call, defineRoute, type Route } from '../route.ts';
import { buildAddressKey } from '../session/address-key.ts';
import { renderStarted, sessionBody } from '../session/session-body.ts';
import { checkPassword, emailMember, passwordMember } from '../users/user-members.ts';

const WRONG_TOKEN = 'is not the token of the set-up link';
const WRONG_TOKENS = { name: 'address', tries: 10, seconds: 15 * 60 };

const setupBody: z.ZodType<SetupBody> = z.strictObject({ is_needed: z.boolean() }).meta({ id: 'Setup' });

export const SETUP_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'See whether the first owner is still to be created',
    status: 200,
    answer: setupBody,
    run: async ({ desk }) => ({ is_needed: !(await desk.storage.read(hasUsers())) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/setup',
    who: 'anyone',
    tag: 'Set-up',
    summary: 'Create the first owner and sign in',
    description:
      'Works only as long as there is no user at all. The service prints the token when it starts, in a link, and so does ' +
      '`galley setup-link`. The password has 12 to 200 characters.',
    body: strictMembers('a set-up', {
      token: z.string({ error: 'must be the token of the set-up link' }),
      email: emailMember,
      name: nameMember,
      password: passwordMember,
      account_name: orUnset(nameMember),
    }).superRefine(checkPassword, ALWAYS),
    status: 201,
    answer: sessionBody,
    refusals: [409, 422, 429],
    run: async (call) => {
      const { desk, client } = call;
      const { account_name: accountName, ...person } = call.body;
      const session = await countWrong(call, () => setUp(desk, { ...person, accountName, visitor: client }));
      if (session === undefined) throw refuseFaults([{ path: 'token', message: WRONG_TOKEN }]);
      return renderStarted(session, call);
    },
  }),
];

const limiters = new WeakMap<Desk['storage'], Limiter>();

/** Counts a try before it is looked at, so that many at once are no way around, and gives back all but wrong ones. */
async function countWrong<Outcome>(
  { desk: { storage }, client, setHeader }: Pick<Call<unknown, unknown>, 'desk' | 'client' | 'setHeader'>,
  attempt: () => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const limiter = limiters.get(storage) ?? new Limiter(WRONG_TOKENS);
  limiters.set(storage, limiter);
  const key = buildAddressKey(client.address);
  let tally = await limiter.spend(key);
  if (tally.isExceeded) throw new ProblemError(refuseExceeded(tally));
  let isWrong = false;
  try {
    const outcome = await attempt();
    isWrong = outcome === undefined;
    return outcome;
  } finally {
    if (!isWrong) tally = await limiter.giveBack(key);
    for (const [name, value] of Object.entries(buildLimitHeaders([tally]))) setHeader(name, value);
  }
}
