const MOST_CHARACTERS = 255;

/** Names an asset after its file, without the extension. */
export function nameAsset(fileName: string): string {
  const name = fileName.replaceAll(/\s+/g, ' ').trim();
  const stem = name.replace(/\.[^.\s]{1,10}$/, '').trim();
  return [...(stem === '' ? name : stem)].slice(0, MOST_CHARACTERS).join('');
}
