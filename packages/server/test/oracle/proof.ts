// Sets the number of cases in random tests: a small number by default, or, with PROOF=full, the number that the documentation
// states. SEED=n repeats one failing case.

const isFullProof = process.env.PROOF === 'full';

export function proofSize<Size>(short: Size, full: Size): Size {
  return isFullProof ? full : short;
}

/** New seeds for every run, unless SEED is set. */
export function seeds(count: number): readonly number[] {
  const { SEED } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  const start = Math.floor(Math.random() * 2 ** 30);
  return Array.from({ length: count }, (_, index) => start + index);
}

export function reportProof(line: string): void {
  if (isFullProof) process.stdout.write(`${line}\n`);
}
