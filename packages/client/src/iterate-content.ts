// All objects of all pages, one after the other. While a page is read, those after it are fetched, as many as allowed.

import type { FollowOptions } from './client-options.ts';
import type { ContentPage } from './content-page.ts';
import { followSignals, type MaybeSignal } from './follow-signals.ts';

type Load<Page> = (call: FollowOptions) => Promise<Page>;

export async function* iterateContent<Content, Params>(
  loadFirst: Load<ContentPage<Content, Params>>,
  lookAhead: number,
  signals: readonly MaybeSignal[],
): AsyncGenerator<Content, void, undefined> {
  const controller = new AbortController();
  const release = followSignals(signals, controller);
  const { signal } = controller;
  try {
    let last: Promise<ContentPage<Content, Params> | undefined> = loadFirst({ signal });
    const pages = [last];
    for (;;) {
      while (pages.length <= lookAhead) {
        last = last.then((page) => page?.nextPage?.({ signal }));
        // It is reported when its turn comes; until then it is no unhandled rejection.
        last.catch(() => {});
        pages.push(last);
      }
      const page = await pages.shift();
      if (!page) return;
      for (const object of page.content) {
        signal.throwIfAborted();
        yield object;
      }
    }
  } finally {
    release();
    controller.abort();
  }
}
