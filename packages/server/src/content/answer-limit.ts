// How large an answer may be: its body as it is sent without compression, in bytes of UTF-8. Assets and linked content count as
// often as they appear. Without a limit, a short request could fill the memory of the process.

export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
export const MOST_ANSWER = `${MOST_ANSWER_BYTES / 1024 / 1024} MB`;
const MOST_BYTES_OF_CHARACTER = 3;

/** Counts bytes only where it must: that takes as long as making the text. */
export function isTooLarge(text: string): boolean {
  if (text.length * MOST_BYTES_OF_CHARACTER <= MOST_ANSWER_BYTES) return false;
  return text.length > MOST_ANSWER_BYTES || Buffer.byteLength(text) > MOST_ANSWER_BYTES;
}
