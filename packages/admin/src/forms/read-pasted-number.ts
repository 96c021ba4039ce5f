// Reads a number as people write it: with a decimal comma or point, and with or without thousands separators.

/** Returns `unclear` if the comma could be a decimal or a thousands separator, and undefined if the text is not a number. */
export function readPastedNumber(text: string): number | 'unclear' | undefined {
  const written = text.replaceAll(/[\s'’_]/g, '').replace(/^[−–]/, '-');
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(written)) return undefined;
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(written)) return 'unclear';
  const decimal = findDecimalMark(written);
  const [whole = '', decimals = '', ...more] = decimal === undefined ? [written] : written.split(decimal);
  const isGrouped = /[.,]/.test(whole);
  if (more.length > 0 || /[.,]/.test(decimals) || (isGrouped && !/^[+-]?\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(whole))) {
    return undefined;
  }
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals}0`);
}

/** The last mark is the decimal separator, unless it occurs several times. */
function findDecimalMark(text: string): string | undefined {
  const mark = /[.,](?=\d*$)/.exec(text)?.[0];
  return mark !== undefined && text.indexOf(mark) === text.lastIndexOf(mark) ? mark : undefined;
}
