// The TypeScript examples of a documentation page, as programs to compile and run.

export interface Example {
  /** The line of the page where the example starts. */
  readonly line: number;
  readonly code: string;
  /** The output shown on the page, or undefined if the page shows none. */
  readonly prints: string | undefined;
}

/** Fenced `ts` blocks, each with the `text` block that directly follows it. */
export function readExamples(page: string): readonly Example[] {
  const fences = [...page.matchAll(/^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms)];
  return fences.map(({ index, 1: code = '', 2: prints }) => ({
    line: page.slice(0, index).split('\n').length,
    code,
    prints,
  }));
}
