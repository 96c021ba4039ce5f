// The content that the visitor who sent this request may read. Next.js has a draft mode of its own, but browsers that block third-party
// cookies do not send its cookie in the panel's frame, and that draft mode does not end when the secret is replaced.

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { type Access, DRAFT_COOKIE, ENDING_PATH, explainRefusal, readAccess } from './draft-mode.ts';

/** If the draft cookie cannot be valid, the visitor sees a page that says that the preview has ended. */
export async function findAccess(): Promise<Access> {
  const access = readAccess((await cookies()).get(DRAFT_COOKIE)?.value);
  if (access === 'ended') redirect(ENDING_PATH);
  return access;
}

/** Reads content for a visitor. If Galley rejects the visitor's token, the visitor sees a page that says why. */
export async function readAs<Result>(access: Access, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const refusal = access === 'published' ? undefined : explainRefusal(error);
    if (refusal === undefined) throw error;
    // A page cannot set its own status.
    redirect(refusal === 'ended' ? ENDING_PATH : '/api/draft/busy');
  }
}
