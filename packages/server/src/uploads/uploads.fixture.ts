// For tests: everything that uploads need, with a separate folder or bucket.

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { BUCKET_CREDENTIALS, startBucketServer } from '../files/bucket-server.fixture.ts';
import { openBucketStore } from '../files/bucket-store.ts';
import type { FileStore } from '../files/file-store.ts';
import { openFolderStore } from '../files/folder-store.ts';
import { ImageProcesses, type ImageProcessesOptions } from '../images/image-processes.ts';
import { type TakenFile, takeFile, type UploadRules } from './take-file.ts';
import type { UploadProblem } from './upload-problem.ts';
import { openUploadTools, type UploadTools, type UploadToolsOptions } from './upload-tools.ts';

export const MEGABYTE = 1024 ** 2;
export const RULES: UploadRules = {
  mostBytes: 32 * MEGABYTE,
  types: null,
  mostPixels: 100_000_000,
  keepsLocation: false,
};

export interface Uploads extends AsyncDisposable {
  readonly tools: UploadTools;
  readonly images: ImageProcesses;
  /** A folder for the test itself. */
  readonly folder: string;
  /** The entries of the folder for temporary files. */
  listTemporary(): Promise<readonly string[]>;
}

export type StoreKind = 'folder' | 'bucket';

export async function openUploads(
  kind: StoreKind,
  options: ImageProcessesOptions & Pick<UploadToolsOptions, 'longestMs'> = {},
): Promise<Uploads> {
  const { longestMs, ...imageOptions } = options;
  const folder = await mkdtemp(join(tmpdir(), 'galley-uploads-'));
  const server = kind === 'bucket' ? await startBucketServer('pictures', 'assets') : undefined;
  const store: FileStore =
    server === undefined
      ? await openFolderStore({ kind: 'folder', path: join(folder, 'assets') })
      : openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS });
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const images = new ImageProcesses({ processes: 1, ...imageOptions });
  const tools = await openUploadTools({ store, images, folder: temporary, ...(longestMs && { longestMs }) });
  return {
    tools,
    images,
    folder,
    listTemporary: () => readdir(store.incoming ?? temporary),
    async [Symbol.asyncDispose]() {
      await tools.close();
      await images.close();
      await store.close();
      await server?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function* split(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function take(
  { tools }: Pick<Uploads, 'tools'>,
  bytes: Uint8Array,
  name: string,
  rules: Partial<UploadRules> = {},
): Promise<TakenFile> {
  const taken = await takeFile(tools, split(bytes), name, { ...RULES, ...rules });
  if (!taken.ok) throw new Error(taken.problem.message);
  return taken.value;
}

/** Returns the problem, and checks that nothing is left of the file. */
export async function refuse(
  uploads: Uploads,
  bytes: Uint8Array,
  name: string,
  rules: Partial<UploadRules> = {},
): Promise<UploadProblem> {
  const before = await listAll(uploads);
  const taken = await takeFile(uploads.tools, split(bytes), name, { ...RULES, ...rules });
  if (taken.ok) throw new Error(`${taken.value.fileName} was accepted.`);
  const left = (await listAll(uploads)).filter((each) => !before.includes(each));
  if (left.length > 0) throw new Error(`${left.join(', ')} was left behind.`);
  return taken.problem;
}

async function listAll(uploads: Uploads): Promise<readonly string[]> {
  return [...(await uploads.listTemporary()), ...(await listStored(uploads))];
}

export async function listStored({ tools }: Pick<Uploads, 'tools'>): Promise<readonly string[]> {
  const digests: string[] = [];
  for await (const { sha256 } of tools.store.list()) digests.push(sha256);
  return digests;
}

export async function readStored({ tools }: Pick<Uploads, 'tools'>, sha256: string): Promise<Buffer> {
  const reading = await tools.store.read(sha256);
  if (reading === undefined) throw new Error('The file is not in the store.');
  return buffer(reading.stream);
}
