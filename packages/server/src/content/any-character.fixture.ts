import fc from 'fast-check';

/** Any character of Unicode. fast-check takes a second to prepare its own arbitrary for this. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0x2ff }), fc.integer({ min: 0, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.isWellFormed());
