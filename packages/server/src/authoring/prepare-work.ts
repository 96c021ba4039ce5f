// Some steps would block other work for too long if they ran inside a transaction: cleaning long HTML, hashing passwords, and measuring
// content with many assets and links. An operation that needs one of these steps in its transaction throws `UncleanTexts`,
// `UnhashedPassword` or `UnmeasuredShow`. The transaction is rolled back, the step runs while nothing is locked, and the operation starts
// again with the result.

import { isShowTooLarge, type LargeShow } from '../storage/contents/find-too-large.ts';
import type { Storage } from '../storage/storage.ts';
import { type Actor, nameCaller } from './actor.ts';
import { sanitiseHtml } from './contents/sanitise-html.ts';
import { hashPassword } from './people/passwords.ts';

/**
 * @param caller who is waiting for the result
 * @returns undefined if elements are nested too deeply
 */
export type CleanText = (text: string, caller: string) => Promise<string | undefined>;

/**
 * Returns whether the content is too large for a response.
 * @param caller who is waiting for the result
 */
export type MeasureShow = (show: LargeShow, caller: string) => Promise<boolean>;

/** Maps each given string to the cleaned string, or to undefined if the elements are nested too deeply. */
export type CleanedTexts = ReadonlyMap<string, string | undefined>;

export interface Prepared {
  readonly cleaned: CleanedTexts;
  /** Keyed by password. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Whether the content is too large for a response, indexed by the key of its `LargeShow`. */
  readonly measured: ReadonlyMap<string, boolean>;
}

export const NOTHING_PREPARED: Prepared = { cleaned: new Map(), hashes: new Map(), measured: new Map() };

export class UncleanTexts extends Error {
  override readonly name = 'UncleanTexts';
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    super(`${texts.length} text values must be cleaned first`);
    this.texts = texts;
  }
}

export class UnhashedPassword extends Error {
  override readonly name = 'UnhashedPassword';
  readonly password: string;
  readonly salt: Buffer;

  constructor(password: string, salt: Buffer) {
    super('A password must be hashed first');
    this.password = password;
    this.salt = salt;
  }
}

export class UnmeasuredShow extends Error {
  override readonly name = 'UnmeasuredShow';
  readonly show: LargeShow;

  constructor(show: LargeShow) {
    super(`The size of content ${show.id} must be measured first`);
    this.show = show;
  }
}

/** Functions that run the long steps elsewhere, for example on a separate thread. By default, the steps run on this thread. */
export interface Preparing {
  readonly storage: Storage;
  readonly cleanText?: CleanText;
  readonly measureShow?: MeasureShow;
}

const cleanHere: CleanText = async (text) => sanitiseHtml(text);

/**
 * @param actor who is waiting for the long steps
 * @param work must not have changed anything when it throws one of the errors above
 */
export async function withPrepared<Outcome>(
  { storage, cleanText = cleanHere, measureShow = (show) => storage.read(isShowTooLarge(show)) }: Preparing,
  actor: Actor,
  work: (prepared: Prepared) => Promise<Outcome>,
): Promise<Outcome> {
  const cleaned = new Map<string, string | undefined>();
  const hashes = new Map<string, string>();
  const measured = new Map<string, boolean>();
  for (;;) {
    try {
      return await work({ cleaned, hashes, measured });
    } catch (error) {
      if (error instanceof UncleanTexts) {
        // Cleans one string at a time. A caller with little to clean then waits for only one string from each of the other callers, not for
        // all of their strings.
        for (const text of error.texts) cleaned.set(text, await cleanText(text, nameCaller(actor)));
      } else if (error instanceof UnhashedPassword) {
        hashes.set(error.password, await hashPassword(error.password, error.salt));
      } else if (error instanceof UnmeasuredShow) {
        measured.set(error.show.key, await measureShow(error.show, nameCaller(actor)));
      } else throw error;
    }
  }
}
