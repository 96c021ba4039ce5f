// The TypeScript of a page of documentation, as programs that can be compiled and run.

export interface Example {
  /** The line of the page that it stands on. */
  readonly line: number;
  readonly code: string;
  /** What the page says that it prints; undefined where the page does not say. */
  readonly prints: string | undefined;
}

/** Fenced blocks of `ts`, each with the block of `text` that follows it directly. */
export function readExamples(page: string): readonly Example[] {
  const fences = [...page.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)];
  return fences.map(({ index, 1: code = '', 2: prints }) => ({
    line: page.slice(0, index).split('\n').length,
    code,
    prints,
  }));
}
