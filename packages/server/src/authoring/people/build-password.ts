/** Crockford's digits: none of them looks like another. There are 32, so every byte gives one without a bias. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP = 5;

export const PASSWORD_BYTES = 20;

/**
 * A password that can be read out and typed: 100 bits in groups of five.
 * @param randomBytes PASSWORD_BYTES of them, from a source that cannot be guessed
 */
export function buildPassword(randomBytes: Buffer): string {
  const digits = Array.from(randomBytes, (byte) => DIGITS.charAt(byte % DIGITS.length));
  return digits.map((digit, index) => (index > 0 && index % GROUP === 0 ? `-${digit}` : digit)).join('');
}
