// Calls a listener with each change to a site, in order.

import { type ChangesRequest, followChanges, isAborted, isGone } from './follow-changes.ts';
import type { ChangeEvent } from './follow-options.ts';

/** The position from which the feed lists only new changes. */
export const NOW = 'now';

export async function notifyListener<Content>(
  listener: (event: ChangeEvent<Content>) => void | Promise<void>,
  request: ChangesRequest,
): Promise<void> {
  const { settings, params } = request;
  let { since } = request;
  let hasLost = false;
  let isListening = false;
  const notify = async (event: ChangeEvent<Content>): Promise<void> => {
    isListening = true;
    await listener(event);
    isListening = false;
  };
  for (;;) {
    try {
      for await (const { changes, objects, next_position: position } of followChanges<Content>({ ...request, since })) {
        since = position;
        // Reported only now: the listener may read the whole site in response, so no changes after this point may be
        // lost.
        if (hasLost) await notify({ kind: 'reset' });
        hasLost = false;
        for (const change of changes) {
          if (isAborted(settings)) return;
          await notify(params.include ? { ...change, content: objects.get(change.id) ?? null } : change);
        }
      }
    } catch (error) {
      // The listener's own errors are not about the feed, whatever their status.
      if (isListening) throw error;
      if (isAborted(settings)) return;
      if (!isGone(error) || since === NOW) throw error;
      since = NOW;
      hasLost = true;
    }
  }
}
