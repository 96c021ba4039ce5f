// What takes too long to be done while others wait for a transaction: cleaning long HTML, and hashing passwords. Work that needs
// it inside its transaction ends with `UncleanTexts` or `UnhashedPassword`; the transaction is undone, the long part is done
// while nothing is locked, and the work starts again with the outcome.

import { type Actor, nameCaller } from './actor.ts';
import { sanitiseHtml } from './contents/sanitise-html.ts';
import { hashPassword } from './people/password-hash.ts';

/**
 * @param caller whom it is done for
 * @returns undefined for what is nested too deep
 */
export type CleanText = (text: string, caller: string) => Promise<string | undefined>;

/** By the text that was given; undefined for what is nested too deep. */
export type CleanedTexts = ReadonlyMap<string, string | undefined>;

export interface Prepared {
  readonly cleaned: CleanedTexts;
  /** By password. */
  readonly hashes: ReadonlyMap<string, string>;
}

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

const cleanHere: CleanText = async (text) => sanitiseHtml(text);

/**
 * @param actor whom the cleaning is done for
 * @param work has changed nothing when it ends with `UncleanTexts` or `UnhashedPassword`
 */
export async function withPrepared<Outcome>(
  { cleanText = cleanHere }: { readonly cleanText?: CleanText },
  actor: Actor,
  work: (prepared: Prepared) => Promise<Outcome>,
): Promise<Outcome> {
  const cleaned = new Map<string, string | undefined>();
  const hashes = new Map<string, string>();
  for (;;) {
    try {
      return await work({ cleaned, hashes });
    } catch (error) {
      if (error instanceof UncleanTexts) {
        // One by one, so that whoever has little to clean waits for one text of each of the others, not for all of them.
        for (const text of error.texts) cleaned.set(text, await cleanText(text, nameCaller(actor)));
      } else if (error instanceof UnhashedPassword) {
        hashes.set(error.password, await hashPassword(error.password, error.salt));
      } else throw error;
    }
  }
}
