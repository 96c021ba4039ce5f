// A new site for tests of the asset library, with methods that manage its assets.

import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import { type defineStatement, query } from '../../src/storage/statement.ts';
import type { Manager } from './manager.ts';

export type AssetPage = ManagementPageBody<ManagedAssetBody>;

export class AssetLibrary {
  static #sites = 0;
  readonly #manager: Manager;
  /** The path of the site. */
  readonly site: string;
  /** The path of the site's assets. */
  readonly assets: string;

  private constructor(manager: Manager, siteId: string) {
    this.#manager = manager;
    this.site = `/sites/${siteId}`;
    this.assets = `${this.site}/assets`;
  }

  static async create(manager: Manager): Promise<AssetLibrary> {
    AssetLibrary.#sites += 1;
    const id = `s_library_${AssetLibrary.#sites}`;
    await manager.expectOk('POST', '/sites', { id, name: 'Library' });
    return new AssetLibrary(manager, id);
  }

  /** Creates an asset, and returns its id. */
  async create(name: string, members: object = {}): Promise<string> {
    const { expectOk, editor } = this.#manager;
    const url = `https://files.example/${encodeURIComponent(name)}`;
    return (await expectOk<ManagedAssetBody>('POST', this.assets, { name, url, ...members }, editor)).id;
  }

  /** The names of the assets. */
  async list(parameters: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const { expectOk, editor } = this.#manager;
    const search = new URLSearchParams({ limit: '100', ...parameters });
    const { data } = await expectOk<AssetPage>('GET', `${this.assets}?${search}`, undefined, editor);
    return data.map(({ name }) => name);
  }

  /** All pages of a list, or the first ones. */
  async walk(
    parameters: Readonly<Record<string, string>>,
    mostPages = Number.POSITIVE_INFINITY,
  ): Promise<readonly ManagedAssetBody[]> {
    const found: ManagedAssetBody[] = [];
    let cursor: string | null = '';
    for (let pages = 0; pages < mostPages && cursor !== null; pages += 1) {
      const search = new URLSearchParams({ ...parameters, ...(cursor === '' ? {} : { cursor }) });
      const page: AssetPage = await this.#manager.expectOk('GET', `${this.assets}?${search}`);
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  async runSql(statement: ReturnType<typeof defineStatement>): Promise<void> {
    await this.#manager.service.storage.transaction((transaction) => transaction.run(query(statement)));
  }
}
