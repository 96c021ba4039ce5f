// A service whose site has articles and uploaded pictures.

import { SITE_ID } from '../content.ts';
import { type RunningGalley, runGalley, startGalley } from '../galley-process.ts';
import { openSite, readToken, type Site } from '../open-site.ts';
import type { Scratch } from '../scratch.ts';
import { upload } from './ask.ts';

export interface PictureSite {
  readonly galley: RunningGalley;
  readonly site: Site;
  readonly uploadUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Uploads a JPEG file. @returns the path in its URL */
  readonly add: (name: string, bytes: Buffer) => Promise<string>;
  /** Starts a new process with the same data. */
  readonly restart: () => Promise<PictureSite>;
}

const ARTICLES = 1000;
const SETTINGS = { GALLEY_TRUST_PROXY: 'true', GALLEY_MAX_UPLOAD_MB: '2000' } as const;

export async function openPictureSite(scratch: Scratch, tell: (text: string) => void): Promise<PictureSite> {
  const site = await openSite(scratch, { content: 'site', size: ARTICLES }, undefined, tell);
  await site.galley.stop();
  const created = await runGalley(scratch, site.databaseUrl, ['token', 'create', '--name', 'Bench', '--json']);
  return serve(scratch, site, readToken(created.output));
}

async function serve(scratch: Scratch, imported: Site, token: string): Promise<PictureSite> {
  const galley = await startGalley(scratch, imported.databaseUrl, SETTINGS);
  const site = { ...imported, galley, reader: { ...imported.reader, origin: galley.origin } };
  const uploadUrl = `${galley.origin}/manage/v1/sites/${SITE_ID}/assets`;
  const headers = { authorization: `Bearer ${token}` };
  return {
    ...{ galley, site, uploadUrl, headers },
    async add(name, bytes) {
      const body = listChunks(bytes);
      const { answer } = await upload({ url: uploadUrl, headers, name, type: 'image/jpeg', bytes: bytes.length, body });
      return readPath(answer);
    },
    async restart() {
      await galley.stop();
      return serve(scratch, imported, token);
    },
  };
}

async function* listChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function readPath(answer: string): string {
  const asset: unknown = JSON.parse(answer);
  if (typeof asset === 'object' && asset !== null && 'url' in asset && typeof asset.url === 'string') {
    return new URL(asset.url, 'http://localhost').pathname;
  }
  throw new Error(`The service returned no asset: ${answer}`);
}
