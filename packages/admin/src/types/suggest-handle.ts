// Derives handles from names: `Größe (in cm)` becomes `grosse_in_cm`. A handle follows its name until somebody types a different handle.

const MOST_CHARACTERS = 64;

export function suggestHandle(name: string): string {
  return name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, MOST_CHARACTERS)
    .replace(/_+$/, '');
}

interface Named {
  readonly name: string;
  readonly handle: string;
}

/** The handle after the name has changed. */
export function followName({ name, handle }: Named, nextName: string): string {
  return handle === suggestHandle(name) ? suggestHandle(nextName) : handle;
}
