// Reads the data needed to serve a file. An asset stays in memory as long as the database has the same stamp.

import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';
import { defineStatement, type Procedure, query, slot } from './statement.ts';

export interface ServedAsset {
  readonly siteId: string;
  readonly assetId: string;
  readonly sha256: string;
  /** The version in the current URL. */
  readonly version: string;
  readonly fileName: string;
  readonly type: string;
  readonly bytes: number;
  /** Both numbers are percentages. */
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  /** Whether published content shows the asset. */
  readonly isShown: boolean;
  /** All versions that the asset has had, including the current one. */
  readonly versions: readonly string[];
  /** `signed` if images are transformed only through presets and signed URLs. */
  readonly imageAccess: 'open' | 'signed';
  /** The site's image parameters, by preset name. */
  readonly presets: ReadonlyMap<string, string>;
  /** The key for the site's signatures. */
  readonly signatureKey: string;
}

interface ServedRow {
  readonly no: number;
  readonly site_no: number;
  readonly sha256: string | null;
  readonly file_name: string | null;
  readonly mime_type: string;
  readonly size: number;
  readonly focal_x: number | null;
  readonly focal_y: number | null;
  readonly image_access: 'open' | 'signed';
  readonly is_shown: number;
}

const selectServed = defineStatement(
  () => sql`select a.no, a.site_no, a.sha256, a.file_name, a.mime_type, a.size, a.focal_x, a.focal_y,
      s.image_access,
      case when exists (select 1 from content_assets as u
        where u.site_no = a.site_no and u.asset_id = a.id and u.standing = 'published') then 1 else 0 end as is_shown
    from assets as a join sites as s on s.no = a.site_no
    where s.id = ${slot('site')} and s.deletion is null and a.id = ${slot('asset')}`,
);
const selectVersions = defineStatement(
  () => sql`select version from asset_files where asset_no = ${slot('asset')} order by no desc`,
);
const selectPresets = defineStatement(
  () => sql`select name, parameters from image_presets where site_no = ${slot('site')} order by name`,
);

const MOST_KEPT = 10_000;

interface Remembered {
  readonly stamp: number;
  /** All properties as text, to detect whether one has changed. */
  readonly text: string;
  readonly asset: ServedAsset;
}

export class AssetReads {
  readonly #engine: Engine;
  readonly #deriveSignatureKey: (siteId: string) => string;
  readonly #assets = new LRUCache<string, Remembered>({ max: MOST_KEPT });

  constructor(engine: Engine, deriveSignatureKey: (siteId: string) => string) {
    this.#engine = engine;
    this.#deriveSignatureKey = deriveSignatureKey;
  }

  /**
   * Returns undefined if there is no such asset, or if it has no uploaded file. Returns the same object as before if nothing about the
   * asset has changed.
   */
  find(siteId: string, assetId: string): ServedAsset | undefined | Promise<ServedAsset | undefined> {
    const key = `${siteId} ${assetId}`;
    const stamp = this.#engine.peekStamp();
    const known = stamp === undefined ? undefined : this.#assets.get(key);
    if (known !== undefined && known.stamp === stamp) return known.asset;
    return this.#engine.readForRequest((current) => this.#select(current, key, siteId, assetId), key);
  }

  *#select(stamp: number, key: string, siteId: string, assetId: string): Procedure<ServedAsset | undefined> {
    const found = yield* selectServedAsset(siteId, assetId);
    // Nothing is cached for assets that do not exist, because clients can request any number of made-up ids.
    if (found === undefined) {
      this.#assets.delete(key);
      return undefined;
    }
    const known = this.#assets.get(key);
    const text = JSON.stringify([found, [...found.presets]]);
    const asset = known?.text === text ? known.asset : { ...found, signatureKey: this.#deriveSignatureKey(siteId) };
    this.#assets.set(key, { stamp, text, asset });
    return asset;
  }
}

function* selectServedAsset(siteId: string, assetId: string): Procedure<Omit<ServedAsset, 'signatureKey'> | undefined> {
  const [row] = yield* query<ServedRow>(selectServed, { site: siteId, asset: assetId });
  if (row === undefined || row.sha256 === null || row.file_name === null) return undefined;
  const files = yield* query<{ version: string }>(selectVersions, { asset: row.no });
  const presets = yield* query<{ name: string; parameters: string }>(selectPresets, { site: row.site_no });
  const { focal_x: x, focal_y: y } = row;
  const [{ version } = { version: '' }] = files;
  return {
    ...{ siteId, assetId, sha256: row.sha256, version, fileName: row.file_name, type: row.mime_type, bytes: row.size },
    focalPoint: x === null || y === null ? null : { x, y },
    isShown: row.is_shown === 1,
    versions: files.map((file) => file.version),
    imageAccess: row.image_access,
    presets: new Map(presets.map(({ name, parameters }) => [name, parameters])),
  };
}
