// The cache of published responses. The key of each entry contains the site's generation, which changes in the same transaction as
// anything that a reader can see. So a change does not have to purge anything: older responses are never found again. Previews are never
// cached.
//
// Most URLs are requested only once, and storing a response takes time. So a new response is first kept as plain text in a small section
// for recent responses, where new responses push out old ones. Only responses that are requested again move into the main cache.
// Responses that are expensive to build because of their size go there directly.
//
// URLs with parameters that the API ignores share an eighth of the cache, in a separate section: anyone can make up any number of such
// URLs, and they must not push out responses that others request.

import { LRUCache } from 'lru-cache';
import type { FreshAnswer, KeptAnswer } from './answer.ts';
import type { AnswerKey } from './delivery-request.ts';

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
  readonly bytes: number;
  readonly mostBytes: number;
}

/** No single response is allowed to push out most of the others. */
const LARGEST_SHARE = 1 / 8;
const MOST_RECENT = 32;
const MOST_RECENT_BYTES = 512 * 1024;
const RECENT_SHARE = 1 / 8;
/**
 * A page of a hundred objects also starts in the section for recent responses. Otherwise a client that reads a large site page by page
 * would fill the cache with responses that nobody requests again.
 */
const LARGEST_RECENT_SHARE = 1 / 2;
/** The approximate size of an entry without its body. */
const ENTRY_BYTES = 600;
/** The maximum share of the cache for URLs with parameters that the API ignores. */
const UNREAD_SHARE = 1 / 8;
const MOST_SITES_KNOWN = 1000;

interface Shelves {
  readonly recent: RecentAnswers;
  readonly largestRecent: number;
  readonly kept: LRUCache<string, KeptAnswer>;
  /** The responses that have been requested before, in this generation of the site or an earlier one. */
  readonly seen: SeenDigests;
}

export class AnswerCache {
  readonly #shelves: Shelves | undefined;
  /** For URLs with parameters that the API ignores; created when first needed. */
  #unread: Shelves | undefined;
  readonly #mostBytes: number;
  readonly #generations = new LRUCache<string, number>({ max: MOST_SITES_KNOWN });
  #hits = 0;
  #misses = 0;

  /** @param mostBytes the size limit; if it is 0, nothing is stored */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    if (mostBytes > 0) this.#shelves = openShelves(mostBytes * (1 - UNREAD_SHARE));
  }

  /** Whether the cache stores anything at all. */
  get isOpen(): boolean {
    return this.#shelves !== undefined;
  }

  find(key: AnswerKey): KeptAnswer | undefined {
    if (this.#shelves === undefined) return undefined;
    const answer = this.#findOn(this.#shelves, key) ?? (this.#unread && this.#findOn(this.#unread, key));
    if (answer !== undefined) this.#hits += 1;
    return answer;
  }

  /** Call this once for each response that was built, even if it was looked up several times. */
  countMiss(): void {
    this.#misses += 1;
  }

  /** @returns whether the cache stored the response */
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
      // Setting the same value again would not update its size.
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

  /** The generation that each site had when its latest response was built. */
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

const NOTHING = '';

/**
 * The newest responses, in the order in which they were built; new ones push out the oldest. There are so few of them that they are freed
 * before the garbage collector moves them to the old generation, where memory is costly to free. A Map would prevent that: it
 * occasionally copies itself, and its old copies keep their entries alive until the next major collection. In measurements, major
 * collections took a fifth of the time spent building lists. Comparing a few digests costs almost nothing.
 */
class RecentAnswers {
  /** A ring buffer. The slots of responses that were taken out are empty. */
  readonly #keys: string[];
  readonly #digests: Uint32Array;
  readonly #answers: (FreshAnswer | undefined)[];
  readonly #mostBytes: number;
  #first = 0;
  #count = 0;
  #bytes = 0;

  constructor(mostAnswers: number, mostBytes: number) {
    this.#keys = Array.from({ length: mostAnswers }, () => NOTHING);
    this.#digests = new Uint32Array(mostAnswers);
    this.#answers = Array.from({ length: mostAnswers }, () => undefined);
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#answers.filter((answer) => answer !== undefined).length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take({ digest, text }: AnswerKey): FreshAnswer | undefined {
    for (let at = this.#digests.indexOf(digest); at !== -1; at = this.#digests.indexOf(digest, at + 1)) {
      if (this.#keys[at] === text) return this.#empty(at);
    }
    return undefined;
  }

  add({ digest, text }: AnswerKey, answer: FreshAnswer): void {
    if (this.#count === this.#keys.length) this.#removeOldest();
    const place = (this.#first + this.#count) % this.#keys.length;
    this.#keys[place] = text;
    this.#digests[place] = digest;
    this.#answers[place] = answer;
    this.#count += 1;
    this.#bytes += weigh(text, answer);
    while (this.#bytes > this.#mostBytes) this.#removeOldest();
  }

  #removeOldest(): void {
    this.#empty(this.#first);
    this.#first = (this.#first + 1) % this.#keys.length;
    this.#count -= 1;
  }

  #empty(place: number): FreshAnswer | undefined {
    const answer = this.#answers[place];
    if (answer !== undefined) this.#bytes -= weigh(this.#keys[place] ?? NOTHING, answer);
    this.#keys[place] = NOTHING;
    this.#answers[place] = undefined;
    return answer;
  }
}

function weigh(key: string, answer: FreshAnswer): number {
  return answer.size + key.length + ENTRY_BYTES;
}

const PLACES = 1 << 16;

/**
 * Remembers which digests were seen before. A digest is forgotten when another one takes its slot, and the chance that two keys share a
 * digest is about one in four billion. That is good enough for deciding what to store.
 */
class SeenDigests {
  readonly #marks = new Uint32Array(PLACES);

  /** Adds a digest; returns whether it was already there. */
  add(digest: number): boolean {
    // 0 marks an empty slot.
    const mark = digest === 0 ? 1 : digest;
    const place = mark & (PLACES - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
