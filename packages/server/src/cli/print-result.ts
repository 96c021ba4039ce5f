import { cleanLines } from './paint.ts';

/** One JSON value on standard output, for a machine; anything else that a command has to say goes to standard error. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value).replace(UNFIT_IN_JSON, escapeCharacter)}\n`);
}

/** JSON escapes control characters up to U+001F itself. A terminal takes these for commands or turns the text around, too. */
const UNFIT_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** On standard error, beside the result. */
export function printNotices(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${cleanLines(line)}\n`);
}

/** Without control characters: file names and stored text may bring some. */
export function printText(text: string): void {
  printPainted(cleanLines(text));
}

/** With its colours. Whoever painted it has cleaned the parts that come from elsewhere. */
export function printPainted(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
