/** One JSON value on standard output, for a machine; anything else that a command has to say goes to standard error. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** On standard error, beside the result. */
export function printNotices(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}

export function printText(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
