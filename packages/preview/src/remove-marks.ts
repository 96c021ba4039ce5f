// The invisible marks in previewed text: four zero-width spaces, then the JSON of the mark, with four zero-width characters for each
// byte. Only complete marks count, so the zero-width characters that people type are never mistaken for a mark. The panel uses this file
// too, so it does not import the decoder.

/** How every mark begins. */
export const START = '\u200b\u200b\u200b\u200b\u200c\ufeff\u200d\ufeff';

/**
 * `START` encodes `{`, and the end encodes `}`, which occurs only once in a mark. JSON contains no zero byte (four zero-width spaces), so a
 * search for the end stops at the next start. Otherwise, hostile text with many starts could keep a website busy for minutes.
 */
export const MARK = new RegExp(`${START}(?:(?!\u200b{4})(?:[\u200b-\u200d]|\ufeff){4})*?\u200c\ufeff\ufeff\u200c`, 'g');

/** The text without its marks. */
export function removeMarks(text: string): string {
  return text.replace(MARK, '');
}
