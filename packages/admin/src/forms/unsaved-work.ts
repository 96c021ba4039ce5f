// Work that would be lost on sign-out. The panel asks about it first.

export interface UnsavedWork {
  /** @returns whether everything is saved */
  save(): Promise<boolean>;
  /** Called when the session has ended, so nothing more is sent. */
  end(): void;
}

const works = new Set<UnsavedWork>();

export function registerUnsavedWork(work: UnsavedWork): () => void {
  works.add(work);
  return () => works.delete(work);
}

/** @returns whether everything is saved */
export async function saveUnsavedWork(): Promise<boolean> {
  const results = await Promise.all(Array.from(works, (work) => work.save()));
  return results.every((isSaved) => isSaved);
}

export function endUnsavedWork(): void {
  for (const work of works) work.end();
}
