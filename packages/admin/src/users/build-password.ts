// A password that can be read out and typed: four groups of five, of Crockford's alphabet, in which no two characters look
// alike. Its 32 characters are equally likely, so it holds 100 random bits.

const CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** @param randomBytes as many as asked for */
export function buildPassword(randomBytes: (count: number) => Uint8Array): string {
  const letters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => CHARACTERS.charAt(byte % CHARACTERS.length));
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}
