import { CommandFailure } from './command-failure.ts';

/** More than any password has. */
const MOST_BYTES = 4096;

/** A password from standard input; the end of its line is no part of it. */
export async function readPassword(): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece));
    size += pieces.at(-1)?.length ?? 0;
    if (size > MOST_BYTES) throw new CommandFailure('What comes from standard input is too long for a password.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)).replace(/\r?\n$/, '');
  } catch {
    throw new CommandFailure('The password from standard input is not valid UTF-8.');
  }
}
