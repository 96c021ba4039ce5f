// The sources of the front ends. In the repository, they are in examples/; the published package contains a copy. Each front end
// consists of its own files and the shared files.

import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export type FrontEnd = 'next' | 'astro';

/** The folder that the build copies the sources to, next to the built program. */
export const COPY = 'front-ends';

const SHARED = 'magazine-shared';
const FOLDERS = { next: 'next-magazine', astro: 'astro-magazine' } as const satisfies Record<FrontEnd, string>;
/** Someone may have run a front end in its folder. The resulting keys, packages and builds must not be published. */
const LEFT_OUT =
  /(^|\/)(\.[^/]*|node_modules|dist|dist-static|content-types\.ts|next-env\.d\.ts|[^/]*\.tsbuildinfo)(\/|$)/;

/** A file of a front end. */
export interface FrontEndFile {
  /** Where the file is now. */
  readonly source: string;
  /** Its path in the front end, such as `src/lib/content.ts`. */
  readonly path: string;
}

export function listFrontEndFiles(frontEnd: FrontEnd): readonly FrontEndFile[] {
  return [SHARED, FOLDERS[frontEnd]].flatMap((folder) => listFiles(locateSources(), folder));
}

/** @returns the files of all front ends; each path starts with the front end's folder */
export function listAllFrontEndFiles(): readonly FrontEndFile[] {
  return [SHARED, ...Object.values(FOLDERS)].flatMap((folder) =>
    listFiles(locateSources(), folder).map(({ source, path }) => ({ source, path: `${folder}/${path}` })),
  );
}

export function listFiles(root: string, folder: string): readonly FrontEndFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((source) => ({
      source,
      path: source
        .slice(join(root, folder).length + 1)
        .split(sep)
        .join('/'),
    }))
    .filter(({ path }) => !LEFT_OUT.test(path));
}

function locateSources(): string {
  const copy = fileURLToPath(new URL(COPY, import.meta.url));
  return existsSync(copy) ? copy : fileURLToPath(new URL('../../../examples', import.meta.url));
}
