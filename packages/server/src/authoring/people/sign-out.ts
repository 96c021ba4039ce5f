import { hashToken } from '../../content/api-token.ts';
import { deleteSession } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, work } from '../desk.ts';

/** From then on nobody gets in with the session's cookie. */
export function signOut(desk: Desk, actor: Actor, sessionToken: string): Promise<void> {
  return work(desk, actor, async (job) => {
    await job.run(deleteSession(hashToken(sessionToken)));
    await job.note({
      action: 'user.sign_out',
      subjectName: actor.name,
      ...(actor.id === null ? {} : { subjectId: actor.id }),
    });
  });
}
