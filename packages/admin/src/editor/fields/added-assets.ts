/**
 * Adds an uploaded asset to a field. Uploads can finish in any order, but the assets stay in the order in which their files were dropped.
 * @param batch the IDs of the assets that were uploaded together; undefined for uploads that have not finished
 */
export function addUploaded(
  ids: readonly string[],
  batch: readonly (string | undefined)[],
  index: number,
): readonly string[] {
  const id = batch[index];
  if (id === undefined || ids.includes(id)) return ids;
  const before = batch.slice(0, index).findLast((other) => other !== undefined && ids.includes(other));
  if (before !== undefined) return ids.toSpliced(ids.indexOf(before) + 1, 0, id);
  const after = batch.slice(index + 1).find((other) => other !== undefined && ids.includes(other));
  return after === undefined ? [...ids, id] : ids.toSpliced(ids.indexOf(after), 0, id);
}

/** Whether a field accepts files of this media type. @param kinds prefixes of media types; undefined if all are allowed */
export function isKindAllowed(kinds: readonly string[] | undefined, mediaType: string): boolean {
  return (kinds ?? ['']).some((kind) => mediaType.startsWith(kind));
}
