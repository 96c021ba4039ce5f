import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { cleanText } from './paint.ts';

export interface Progress {
  readonly move: (done: number) => void;
  readonly end: () => void;
}

const SHOWN_NAME = 30;

/** Shows a progress bar on standard error and removes it at the end. Does nothing if standard error is not a terminal. */
export function startProgress(path: string, total: number): Progress {
  if (!process.stderr.isTTY || total === 0) return { move: () => {}, end: () => {} };
  const bar = new SingleBar({
    format: '{name}  {bar} {percentage}%',
    barCompleteChar: '━',
    barIncompleteChar: '─',
    barsize: 32,
    stream: process.stderr,
    clearOnComplete: true,
    autopadding: true,
    // An interrupted command must not leave the terminal changed.
    hideCursor: null,
    linewrap: null,
  });
  bar.start(total, 0, { name: shortenName(path) });
  return { move: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() };
}

function shortenName(path: string): string {
  const name = cleanText(basename(path));
  return name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME - 1)}…` : name;
}
