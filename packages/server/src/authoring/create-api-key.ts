import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../content/api-token.ts';
import { buildId } from '../content/ids.ts';
import { insertKey, type Storage, selectSite, type Transaction } from '../storage/port.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';

export interface ApiKeyRequest {
  readonly accountNo: number;
  readonly name: string;
  /** Null means every site, those of the future too. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  readonly rateLimit: number | null;
  readonly now: number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
}

export interface CreatedApiKey {
  readonly id: string;
  /** To be shown once: it is not kept. */
  readonly token: string;
  readonly prefix: string;
}

export function createApiKey(storage: Storage, request: ApiKeyRequest): Promise<CreatedApiKey> {
  return storage.transaction((transaction) => createApiKeyIn(transaction, request));
}

/** As part of a larger transaction. */
export async function createApiKeyIn(transaction: Transaction, request: ApiKeyRequest): Promise<CreatedApiKey> {
  const token = buildToken('delivery', request.randomBytes(TOKEN_BYTES));
  const id = buildId('key', request.newUuid());
  const siteNos: number[] = [];
  for (const siteId of new Set(request.siteIds ?? [])) {
    const site = await transaction.run(selectSite(siteId));
    if (site === undefined || site.accountNo !== request.accountNo)
      throw new AuthoringRefusal(`There is no site ${siteId}.`);
    siteNos.push(site.no);
  }
  const { accountNo, name, mayPreview, expiresAt, rateLimit } = request;
  const stored = { tokenHash: hashToken(token), prefix: shortenToken(token), createdAt: request.now };
  const sites = request.siteIds === null ? null : siteNos;
  await transaction.run(
    insertKey({ id, accountNo, name, siteNos: sites, mayPreview, expiresAt, rateLimit, ...stored }),
  );
  return { id, token, prefix: shortenToken(token) };
}
