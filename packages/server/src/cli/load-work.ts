/** Loading this takes longer than most commands run. Help and complaints about wrong usage come without it, at once. */
export async function loadWork() {
  const { work } = await import('./work.ts');
  return work;
}
