// Answers that were given, ready to be given again. An entry is found by the site's generation, which moves in the same
// transaction as anything that a reader can see: after a change, older answers are not purged but never found again.
// Previews are never kept.
//
// Most addresses that are ever asked for are asked for once, and keeping an answer costs a part of making it. So a new
// answer waits as the text that it is among the recent ones, where many new ones push each other out. Only what is asked for
// again is made ready to stay, and what is so large that making it again would cost more.

import { LRUCache } from 'lru-cache';
import type { FreshAnswer } from './fresh-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { SeenTexts } from './seen-texts.ts';

/** What an answer is found by. */
export interface AnswerKey {
  readonly siteId: string;
  readonly generation: number;
  /** All that the answer depends on beside the site and what there is to read. */
  readonly variant: string;
}

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
  readonly bytes: number;
  readonly mostBytes: number;
}

/** No single answer may push out most of the others. */
const LARGEST_SHARE = 1 / 8;
/** Few enough to die young: they are gone before the collector would move them to where memory is costly to free. */
const MOST_RECENT_BYTES = 512 * 1024;
const RECENT_SHARE = 1 / 8;
/** What an entry takes beside its body, about. */
const ENTRY_BYTES = 600;
const MOST_SITES_KNOWN = 1000;

interface Shelves {
  readonly recent: LRUCache<string, FreshAnswer>;
  readonly kept: LRUCache<string, KeptAnswer>;
  /** Variants that were asked for, in this generation of their site or an earlier one. */
  readonly seen: SeenTexts;
}

export class AnswerCache {
  readonly #shelves: Shelves | undefined;
  readonly #mostBytes: number;
  readonly #generations = new LRUCache<string, number>({ max: MOST_SITES_KNOWN });
  #hits = 0;
  #misses = 0;

  /** @param mostBytes nothing is kept at 0 */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    if (mostBytes > 0) this.#shelves = openShelves(mostBytes);
  }

  find(key: AnswerKey): FreshAnswer | KeptAnswer | undefined {
    if (this.#shelves === undefined) return undefined;
    const text = toText(key);
    const answer = this.#shelves.kept.get(text) ?? this.#promote(text, this.#shelves);
    if (answer === undefined) this.#misses += 1;
    else this.#hits += 1;
    return answer;
  }

  keep(key: AnswerKey, answer: FreshAnswer): void {
    if (this.#shelves === undefined) return;
    const { recent, seen } = this.#shelves;
    this.#generations.set(key.siteId, key.generation);
    const text = toText(key);
    const isAskedAgain = seen.add(`${key.siteId}\n${key.variant}`);
    if (isAskedAgain || answer.size > recent.maxSize * LARGEST_SHARE) {
      this.#keepReady(text, answer.keep(), this.#shelves);
    } else {
      recent.set(text, answer);
    }
  }

  #promote(text: string, shelves: Shelves): KeptAnswer | undefined {
    const answer = shelves.recent.get(text)?.keep();
    if (answer === undefined) return undefined;
    shelves.recent.delete(text);
    this.#keepReady(text, answer, shelves);
    return answer;
  }

  #keepReady(text: string, answer: KeptAnswer, { kept }: Shelves): void {
    kept.set(text, answer);
    answer.whenGrown(() => {
      if (kept.peek(text) !== answer) return;
      // Setting the same value again would keep the size that it had.
      kept.delete(text);
      kept.set(text, answer);
    });
  }

  get figures(): CacheFigures {
    const { recent, kept } = this.#shelves ?? {};
    return {
      hits: this.#hits,
      misses: this.#misses,
      entries: (recent?.size ?? 0) + (kept?.size ?? 0),
      bytes: (recent?.calculatedSize ?? 0) + (kept?.calculatedSize ?? 0),
      mostBytes: this.#mostBytes,
    };
  }

  /** Of each site, as of the last answer that was made for it. */
  get generations(): Iterable<[siteId: string, generation: number]> {
    return this.#generations.entries();
  }
}

function openShelves(mostBytes: number): Shelves {
  const recentBytes = Math.min(MOST_RECENT_BYTES, Math.ceil(mostBytes * RECENT_SHARE));
  const keptBytes = mostBytes - recentBytes;
  return {
    recent: new LRUCache<string, FreshAnswer>({
      maxSize: recentBytes,
      sizeCalculation: (answer, text) => answer.size + text.length + ENTRY_BYTES,
    }),
    kept: new LRUCache<string, KeptAnswer>({
      maxSize: keptBytes,
      maxEntrySize: Math.ceil(keptBytes * LARGEST_SHARE),
      sizeCalculation: (answer, text) => answer.weight + text.length + ENTRY_BYTES,
    }),
    seen: new SeenTexts(),
  };
}

/** The parts come from headers and addresses, in which no line can end. */
function toText({ siteId, generation, variant }: AnswerKey): string {
  return `${siteId}\n${generation}\n${variant}`;
}
