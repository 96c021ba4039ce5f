// Calls a listener with each change to a site, in order.

import { type ChangesRequest, followChanges, isAborted } from './follow-changes.ts';
import type { ChangeEvent } from './follow-options.ts';
import { isGalleyError } from './galley-error.ts';

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
      for await (const page of followChanges<Content>({ ...request, since })) {
        if (isGalleyError(page)) {
          if (since === NOW) throw page;
          since = NOW;
          hasLost = true;
          continue;
        }
        const { changes, objects, next: position } = page;
        since = position;
        // The reset is reported only now, because the listener may read the whole site in response and must not miss any later change.
        if (hasLost) await notify({ kind: 'reset' });
        hasLost = false;
        for (const change of changes) {
          if (isAborted(settings)) return;
          await notify(params.include ? { ...change, content: objects.get(change.id) ?? null } : change);
        }
      }
    } catch (error) {
      // The listener's own errors are reported even after an abort.
      if (isListening || !isAborted(settings)) throw error;
      return;
    }
  }
}
