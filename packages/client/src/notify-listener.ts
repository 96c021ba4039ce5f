// Calls a listener with each change to a site, in order.

import type { ChangeEvent } from './changes-client.ts';
import { type ChangesRequest, followChanges, isAborted, isGone } from './follow-changes.ts';

/** The position from which the feed lists only new changes. */
export const NOW = 'now';

export async function notifyListener<Content>(
  listener: (event: ChangeEvent<Content>) => void | Promise<void>,
  request: ChangesRequest,
): Promise<void> {
  const { settings, params } = request;
  let { since } = request;
  let hasLost = false;
  for (;;) {
    try {
      for await (const { changes, objects, next_position: position } of followChanges<Content>({ ...request, since })) {
        since = position;
        // Not earlier: the listener may read the site now, so the changes after this point must not be lost as well.
        if (hasLost) await listener({ kind: 'reset' });
        hasLost = false;
        for (const change of changes) {
          if (isAborted(settings)) return;
          await listener(params.include ? { ...change, content: objects.get(change.id) ?? null } : change);
        }
      }
    } catch (error) {
      if (isAborted(settings)) return;
      if (!isGone(error) || since === NOW) throw error;
      since = NOW;
      hasLost = true;
    }
  }
}
