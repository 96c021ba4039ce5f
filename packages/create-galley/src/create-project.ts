// Writes a project to a new or empty folder. If anything fails, it leaves nothing behind.

import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProjectManifest, completeFrontEndManifest, type Sources } from './build-manifests.ts';
import { listFrontEndFiles } from './front-end-files.ts';
import type { Template } from './parse-arguments.ts';

/** An error that the user can fix. The message is written for the user. */
export class CreateFailure extends Error {}

export interface ProjectRequest {
  /** An absolute path. */
  readonly folder: string;
  readonly template: Template;
  /** A folder with tarballs; undefined to install from npm. */
  readonly packages: string | undefined;
  /** The Node.js version that will most likely install the project. */
  readonly nodeVersion: string;
}

export interface Project {
  /** Whether the local Node.js is too old for Galley, in which case the project installs a newer one. */
  readonly bringsNode: boolean;
}

interface Filling {
  readonly name: string;
  readonly template: Template;
  readonly conditions: ReadonlySet<string>;
}

const GALLEY_NODE = 24;
const WEB = 'web';
const WEB_MANIFEST = `${WEB}/package.json`;
/** The project keeps its own copies of the tarballs, so it can be moved, cloned and built in a container. */
const VENDOR = 'vendor';
/** A repository without files counts as empty. */
const HARMLESS = new Set(['.git', '.DS_Store']);

export async function createProject({ folder, template, packages, nodeVersion }: ProjectRequest): Promise<Project> {
  const tarballs = packages === undefined ? [] : await findTarballs(packages, template);
  await refuseTaken(folder);
  const bringsNode = Number(nodeVersion.split('.')[0]) < GALLEY_NODE;
  const name = derivePackageName(basename(folder));
  const conditions = new Set([
    template,
    ...(template === 'none' ? [] : ['web']),
    ...(packages === undefined ? [] : ['vendor']),
  ]);
  const files = await readTemplate({ name, template, conditions });
  const sources: Sources = { version: readVersion(), vendor: packages === undefined ? undefined : VENDOR };
  files.set('package.json', render(buildProjectManifest({ name, template, sources, bringsNode })));
  const manifest = files.get(WEB_MANIFEST);
  if (manifest !== undefined) files.set(WEB_MANIFEST, render(completeFrontEndManifest(manifest, name, sources)));
  await write(folder, files, tarballs);
  return { bringsNode };
}

/** A valid npm package name: `My Site` becomes `my-site`. */
export function derivePackageName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, 200);
  return ['', 'node_modules', 'favicon.ico'].includes(name) ? 'my-site' : name;
}

async function findTarballs(packages: string, template: Template): Promise<readonly string[]> {
  const names = template === 'none' ? ['server'] : ['server', 'client', 'preview'];
  const paths = names.map((name) => join(packages, `galley-${name}-${readVersion()}.tgz`));
  for (const path of paths) {
    const isFile = await stat(path).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (!isFile) {
      throw new CreateFailure(`${path} does not exist. Run npm pack in that package's folder to create it.`);
    }
  }
  return paths;
}

async function refuseTaken(folder: string): Promise<void> {
  try {
    const taken = (await readdir(folder)).filter((name) => !HARMLESS.has(name));
    if (taken.length === 0) return;
    const shown = taken.slice(0, 3).join(', ');
    throw new CreateFailure(
      `${folder} is not empty: it contains ${shown}${taken.length > 3 ? ' and more' : ''}. Choose a different folder.`,
    );
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    if (hasCode(error, 'ENOTDIR'))
      throw new CreateFailure(`${folder} is a file or is inside one. Choose a different folder.`);
    throw translateError(error, folder);
  }
}

/** A project's files, keyed by path. Later layers replace files from earlier ones. */
async function readTemplate(filling: Filling): Promise<Map<string, string>> {
  const { template } = filling;
  const files = new Map<string, string>();
  for (const layer of template === 'none' ? ['service'] : ['service', 'web']) {
    const root = locateInPackage(`templates/${layer}`);
    for (const path of await readdir(root, { recursive: true })) {
      if (!(await stat(join(root, path))).isFile()) continue;
      // npm does not publish files such as .gitignore under their own names.
      const place = path
        .split(sep)
        .join('/')
        .replace(/(^|\/)_/, '$1.');
      files.set(place, fill(await readFile(join(root, path), 'utf8'), filling));
    }
  }
  for (const { source, path } of template === 'none' ? [] : listFrontEndFiles(template)) {
    files.set(`${WEB}/${path}`, await readFile(source, 'utf8'));
  }
  return files;
}

/** Fills in `{{name}}` and `{{template}}`. A line that ends in `{{#condition}}` is kept only if that condition is true. */
function fill(text: string, { name, template, conditions }: Filling): string {
  return text
    .replaceAll(/^(.*?) *\{\{#(\w+)\}\}\n/gm, (_line, start: string, condition: string) =>
      conditions.has(condition) ? `${start}\n` : '',
    )
    .replaceAll('{{name}}', name)
    .replaceAll('{{template}}', template);
}

function render(manifest: object): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

async function write(folder: string, files: ReadonlyMap<string, string>, tarballs: readonly string[]): Promise<void> {
  let made: string | undefined;
  let before: readonly string[] = [];
  try {
    made = await mkdir(folder, { recursive: true });
    before = await readdir(folder);
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
    }
    for (const tarball of tarballs) await cp(tarball, join(folder, VENDOR, basename(tarball)));
  } catch (error) {
    if (made === undefined) await removeNew(folder, before);
    else await rm(made, { recursive: true, force: true });
    throw translateError(error, folder);
  }
}

async function removeNew(folder: string, before: readonly string[]): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!before.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function translateError(error: unknown, folder: string): unknown {
  if (error instanceof CreateFailure || !(error instanceof Error && 'syscall' in error)) return error;
  return new CreateFailure(`${folder} cannot be written to: ${error.message}.`, { cause: error });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The package version and the templates are at the same relative path from the sources and from a build. */
export function locateInPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(locateInPackage('package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
