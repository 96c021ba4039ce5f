// What the visitor of this request may read. Next.js has a draft mode of its own, but browsers that block third-party cookies do not
// send its cookie in the panel's frame, and it does not end when the secret is replaced.

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { type Access, checkAccess, DRAFT_COOKIE, ENDING_PATH } from './draft-mode.ts';

/** Checks the draft cookie once per request. If it is no longer valid, the visitor sees a page that says so. */
export const findAccess = cache(async (): Promise<Access> => {
  const access = await checkAccess((await cookies()).get(DRAFT_COOKIE)?.value);
  if (access === 'ended') redirect(ENDING_PATH);
  return access;
});
