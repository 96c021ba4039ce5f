// Answers that were given, ready to be given again. An entry is found by the site's generation, which moves in the same
// transaction as anything that a reader can see: after a change, older answers are not purged but never found again.
// Previews are never kept.
//
// Most addresses that are ever asked for are asked for once, and keeping an answer costs a part of making it. So a new
// answer waits as the text that it is among the recent ones, where many new ones push each other out. Only what is asked for
// again is made ready to stay, and what is so large that making it again would cost more.
//
// Answers to addresses with parameters that nobody reads stand on shelves of their own, an eighth of the cache: anybody can
// invent any number of such addresses, and must not push out the answers that others ask for.

import { LRUCache } from 'lru-cache';
import type { AnswerKey } from './answer-key.ts';
import type { FreshAnswer } from './fresh-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { RecentAnswers } from './recent-answers.ts';
import { SeenDigests } from './seen-digests.ts';

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
  readonly bytes: number;
  readonly mostBytes: number;
}

/** No single answer may push out most of the others. */
const LARGEST_SHARE = 1 / 8;
const MOST_RECENT = 32;
const MOST_RECENT_BYTES = 512 * 1024;
const RECENT_SHARE = 1 / 8;
/** A page of a hundred objects waits too, or a walk through a large site would fill the cache with what nobody asks for again. */
const LARGEST_RECENT_SHARE = 1 / 2;
/** What an entry takes beside its body, about. */
const ENTRY_BYTES = 600;
/** Of all bytes, for addresses with parameters that nobody reads. */
const UNREAD_SHARE = 1 / 8;
const MOST_SITES_KNOWN = 1000;

interface Shelves {
  readonly recent: RecentAnswers;
  readonly largestRecent: number;
  readonly kept: LRUCache<string, KeptAnswer>;
  /** What was asked for, in this generation of its site or an earlier one. */
  readonly seen: SeenDigests;
}

export class AnswerCache {
  readonly #shelves: Shelves | undefined;
  /** For addresses with parameters that nobody reads; opened with the first of them. */
  #unread: Shelves | undefined;
  readonly #mostBytes: number;
  readonly #generations = new LRUCache<string, number>({ max: MOST_SITES_KNOWN });
  #hits = 0;
  #misses = 0;

  /** @param mostBytes nothing is kept at 0 */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    if (mostBytes > 0) this.#shelves = openShelves(mostBytes * (1 - UNREAD_SHARE));
  }

  /** Whether anything is kept at all. */
  get isOpen(): boolean {
    return this.#shelves !== undefined;
  }

  find(key: AnswerKey): KeptAnswer | undefined {
    if (this.#shelves === undefined) return undefined;
    const answer = this.#findOn(this.#shelves, key) ?? (this.#unread && this.#findOn(this.#unread, key));
    if (answer !== undefined) this.#hits += 1;
    return answer;
  }

  /** For an answer that had to be made: it may have been looked for several times. */
  countMiss(): void {
    this.#misses += 1;
  }

  /** @returns whether it holds on to the answer */
  keep(key: AnswerKey, answer: FreshAnswer): boolean {
    if (this.#shelves === undefined) return false;
    const shelves = key.hasUnread ? this.#openUnread() : this.#shelves;
    const { recent, largestRecent, kept, seen } = shelves;
    if (answer.size > kept.maxEntrySize) return false;
    if (this.#generations.peek(key.siteId) !== key.generation) this.#generations.set(key.siteId, key.generation);
    const isAskedAgain = seen.add(key.digest);
    if (isAskedAgain || answer.size > largestRecent) this.#keepReady(key.text, answer.keep(), shelves);
    else recent.add(key, answer);
    return true;
  }

  #openUnread(): Shelves {
    this.#unread ??= openShelves(this.#mostBytes * UNREAD_SHARE);
    return this.#unread;
  }

  #findOn(shelves: Shelves, key: AnswerKey): KeptAnswer | undefined {
    return shelves.kept.get(key.text) ?? this.#promote(key, shelves);
  }

  #promote(key: AnswerKey, shelves: Shelves): KeptAnswer | undefined {
    const answer = shelves.recent.take(key)?.keep();
    if (answer !== undefined) this.#keepReady(key.text, answer, shelves);
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
    let entries = 0;
    let bytes = 0;
    for (const shelves of [this.#shelves, this.#unread]) {
      if (shelves === undefined) continue;
      entries += shelves.recent.size + shelves.kept.size;
      bytes += shelves.recent.bytes + shelves.kept.calculatedSize;
    }
    return { hits: this.#hits, misses: this.#misses, entries, bytes, mostBytes: this.#mostBytes };
  }

  /** Of each site, as of the last answer that was made for it. */
  get generations(): Iterable<[siteId: string, generation: number]> {
    return this.#generations.entries();
  }
}

function openShelves(mostBytes: number): Shelves {
  const recentBytes = Math.min(MOST_RECENT_BYTES, Math.ceil(mostBytes * RECENT_SHARE));
  const keptBytes = Math.max(1, Math.floor(mostBytes - recentBytes));
  return {
    recent: new RecentAnswers(MOST_RECENT, recentBytes),
    largestRecent: recentBytes * LARGEST_RECENT_SHARE,
    kept: new LRUCache<string, KeptAnswer>({
      maxSize: keptBytes,
      maxEntrySize: Math.ceil(keptBytes * LARGEST_SHARE),
      sizeCalculation: (answer, text) => answer.weight + text.length + ENTRY_BYTES,
    }),
    seen: new SeenDigests(),
  };
}
