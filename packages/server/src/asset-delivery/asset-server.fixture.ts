// For tests: a server whose files are listed in memory and read from a real store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { FileStore } from '../files/file-store.ts';
import { openFolderStore } from '../files/folder-store.ts';
import { createHttpServer } from '../http/create-http-server.ts';
import { createLogger } from '../http/create-logger.ts';
import { createDrainState, type DrainState } from '../http/drain.ts';
import { UnreadAnswers } from '../http/unread-answers.ts';
import { ImageProcesses, type ImageProcessesOptions } from '../images/image-processes.ts';
import { signImageUrl } from '../images/image-signature.ts';
import type { ServedAsset } from '../storage/asset-reads.ts';
import { type AssetDelivery, createAssetDelivery } from './create-asset-delivery.ts';
import { ImageWorkshop, type ImageWorkshopOptions } from './image-workshop.ts';
import { createLazyDelivery, registerAssetDelivery } from './lazy-asset-delivery.ts';
import type { AssetDirectory } from './plan-answer.ts';

export class MemoryDirectory implements AssetDirectory {
  readonly #assets = new Map<string, ServedAsset>();

  put(asset: ServedAsset): ServedAsset {
    this.#assets.set(`${asset.siteId}/${asset.assetId}`, Object.freeze(asset));
    return asset;
  }

  find(siteId: string, assetId: string): ServedAsset | undefined {
    return this.#assets.get(`${siteId}/${assetId}`);
  }
}

interface AssetServerOptions {
  readonly store?: FileStore;
  readonly directory?: AssetDirectory;
  readonly workshop?: Partial<ImageWorkshopOptions>;
  readonly processes?: ImageProcessesOptions;
  readonly newVariantsPerMinute?: number;
  readonly imageSeconds?: number;
}

export interface AssetServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly folder: string;
  readonly store: FileStore;
  readonly assets: MemoryDirectory;
  readonly processes: ImageProcesses;
  readonly workshop: ImageWorkshop;
  readonly delivery: AssetDelivery;
  readonly drain: DrainState;
  /** Everything that was logged. */
  readonly log: PassThrough;
  /** Stores a file and makes it the asset's current one. */
  add(file: Buffer, given?: Partial<ServedAsset>): Promise<ServedAsset>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export async function startAssetServer(options: AssetServerOptions = {}): Promise<AssetServer> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-asset-delivery-'));
  const store = options.store ?? (await openFolderStore({ kind: 'folder', path: join(folder, 'assets') }));
  const lines = new PassThrough().resume();
  const log = createLogger('info', lines);
  const drain = createDrainState();
  const unread = new UnreadAnswers({ connections: drain.connections, log });
  const assets = new MemoryDirectory();
  const processes = new ImageProcesses({ processes: 1, ...options.processes });
  const workshop = new ImageWorkshop({
    store,
    log,
    folder: join(folder, 'images'),
    limitBytes: 1024 ** 3,
    isShared: false,
    processes,
    ...options.workshop,
  });
  const { newVariantsPerMinute = 0, imageSeconds = 0, directory = assets } = options;
  const delivery = createAssetDelivery({
    directory,
    store,
    workshop,
    log,
    unread,
    nameClient: ({ headers }) => String(headers['x-test-address'] ?? '127.0.0.1'),
    newVariantsPerMinute,
    imageSeconds,
  });
  const lazy = createLazyDelivery(log, async () => delivery);
  const server = createHttpServer({ log, drain, headerPrefix: 'X-ACME', unread, takeFirst: lazy.take });
  registerAssetDelivery(server, lazy);
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin,
    port: Number(new URL(origin).port),
    folder,
    store,
    assets,
    processes,
    workshop,
    delivery,
    drain,
    log: lines,
    async add(file, given = {}) {
      const put = await store.put(Readable.from([file]), file.length);
      if (!put.ok) throw new Error(put.problem.code);
      const version = put.value.sha256.slice(0, 16);
      return assets.put({ ...NEW_ASSET, ...put.value, version, versions: [version], ...given });
    },
    get: (path, headers = {}) => fetch(`${origin}${path}`, { headers }),
    async [Symbol.asyncDispose]() {
      for (const socket of drain.connections) socket.destroy();
      await server.close();
      await processes.close();
      await workshop.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const NEW_ASSET: Omit<ServedAsset, 'sha256' | 'bytes' | 'version' | 'versions'> = {
  siteId: 's_1',
  assetId: 'a_1',
  fileName: 'photo.png',
  type: 'image/png',
  focalPoint: null,
  isShown: true,
  imageAccess: 'open',
  presets: new Map(),
  signatureKey: 'the key of the site',
};

export function pathOf({ siteId, assetId, version, fileName }: ServedAsset): string {
  return `/assets/${siteId}/${assetId}/${version}/${encodeURIComponent(fileName)}`;
}

export function publicPathOf({ siteId, assetId, fileName }: ServedAsset): string {
  return `/assets/${siteId}/${assetId}/${encodeURIComponent(fileName)}`;
}

export async function readBody(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** The size and the type of an image that was sent. */
export async function measure(response: Response) {
  expect(response.status).toBe(200);
  const { width, height, mediaType } = await sharp(await readBody(response)).metadata();
  return { width, height, mediaType };
}

/** The URL with the parameters and their signature. */
export function sign(asset: ServedAsset, query: string): string {
  const path = pathOf(asset);
  return `${path}?${query}&s=${signImageUrl(asset.signatureKey, path, new URLSearchParams(query))}`;
}
