/** Loading this takes longer than most commands run. Help and complaints about wrong usage come without it, at once. */
export function loadWork(): Promise<typeof import('./work.ts')> {
  return import('./work.ts');
}
