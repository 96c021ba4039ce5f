// Some steps take too long while others wait for a transaction: cleaning long HTML, hashing passwords, and measuring content that
// shows much. Work that needs one inside its transaction ends with `UncleanTexts`, `UnhashedPassword` or `UnmeasuredShow`. The
// transaction is undone, the long step is done while nothing is locked, and the work starts again with the outcome.

import { isShowTooLarge, type LargeShow } from '../storage/contents/find-too-large.ts';
import type { Storage } from '../storage/storage.ts';
import { type Actor, nameCaller } from './actor.ts';
import { sanitiseHtml } from './contents/sanitise-html.ts';
import { hashPassword } from './people/passwords.ts';

/**
 * @param caller who is waiting for it
 * @returns undefined if elements are nested too deep
 */
export type CleanText = (text: string, caller: string) => Promise<string | undefined>;

/**
 * Says whether the content is too large for an answer.
 * @param caller who is waiting for it
 */
export type MeasureShow = (show: LargeShow, caller: string) => Promise<boolean>;

/** Clean text by given text; undefined if elements are nested too deep. */
export type CleanedTexts = ReadonlyMap<string, string | undefined>;

export interface Prepared {
  readonly cleaned: CleanedTexts;
  /** By password. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Whether it is too large for an answer, by the key of the show. */
  readonly measured: ReadonlyMap<string, boolean>;
}

export const NOTHING_PREPARED: Prepared = { cleaned: new Map(), hashes: new Map(), measured: new Map() };

export class UncleanTexts extends Error {
  override readonly name = 'UncleanTexts';
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    super(`${texts.length} texts must be cleaned first`);
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
    super(`What content ${show.id} shows must be measured first`);
    this.show = show;
  }
}

/** Run the long steps elsewhere, such as on a thread. By default they run here. */
export interface Preparing {
  readonly storage: Storage;
  readonly cleanText?: CleanText;
  readonly measureShow?: MeasureShow;
}

const cleanHere: CleanText = async (text) => sanitiseHtml(text);

/**
 * @param actor who is waiting for the long steps
 * @param work has changed nothing when it ends with one of the errors above
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
        // One by one, so that a caller with little to clean waits for one text of each other caller, not for all of them.
        for (const text of error.texts) cleaned.set(text, await cleanText(text, nameCaller(actor)));
      } else if (error instanceof UnhashedPassword) {
        hashes.set(error.password, await hashPassword(error.password, error.salt));
      } else if (error instanceof UnmeasuredShow) {
        measured.set(error.show.key, await measureShow(error.show, nameCaller(actor)));
      } else throw error;
    }
  }
}
