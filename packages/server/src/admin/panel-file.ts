// The built files of the admin panel. Only what lay in the folder when it was listed can be asked for: a request's path is
// looked up among those, and never becomes a path on disk.

import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export interface PanelFile {
  readonly contentType: string;
  /** Named after its own content, so whatever is there stays as it is. */
  readonly isImmutable: boolean;
  /** On disk, by content coding; each file has its plain form. */
  readonly places: Readonly<Partial<Record<Coding, string>>> & { readonly identity: string };
}

export interface Panel {
  /** The page, with marks where a response puts what only it knows. */
  readonly page: string;
  /** By path below the panel's root, such as `assets/main-x1.js`. */
  readonly files: ReadonlyMap<string, PanelFile>;
}

/** The build leaves these forms of a file beside it, where it is worth it. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

export const MARKS = { nonce: '__NONCE__', headerPrefix: '__HEADER_PREFIX__', publicUrl: '__PUBLIC_URL__' } as const;

const PAGE = 'index.html';
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Undefined where the panel was not built. */
export async function openPanel(folder: string): Promise<Panel | undefined> {
  const page = await readFile(join(folder, PAGE), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const known = new Set(paths);
  const files = paths
    .filter((path) => CONTENT_TYPES[extname(path)] !== undefined)
    .map((path): [string, PanelFile] => {
      const name = relative(folder, path).split(sep).join('/');
      return [name, describeFile(path, name, known)];
    });
  return { page, files: new Map(files) };
}

function describeFile(path: string, name: string, known: ReadonlySet<string>): PanelFile {
  const forms = CODINGS.map((coding) => [coding, `${path}${ENDINGS[coding]}`] as const);
  return {
    contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    isImmutable: name.startsWith('assets/'),
    places: { ...Object.fromEntries(forms.filter(([, place]) => known.has(place))), identity: path },
  };
}
