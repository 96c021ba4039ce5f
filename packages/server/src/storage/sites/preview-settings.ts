// The addresses at which a site's drafts can be previewed, and the secret that gives access to the previews.

import { sql } from 'kysely';
import { hashToken } from '../../content/api-token.ts';
import type { PreviewAddress } from '../../content/preview-rules.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface PreviewSettings {
  readonly addresses: readonly PreviewAddress[];
  /** Null until the first address is saved. No log line, audit entry or export may contain the secret. */
  readonly secret: string | null;
}

interface SettingsRow {
  readonly addresses: string;
  readonly secret: string;
}

const selectRow = defineStatement(
  () => sql`select addresses, secret from preview_settings where site_no = ${slot('site')}`,
);
/** The given site comes first, then the newest sites. */
const selectOfAccount = defineStatement(
  () => sql`select p.addresses from sites as s join preview_settings as p on p.site_no = s.no
    where s.account_no = ${slot('account')} and s.deletion is null
    order by case when s.id = ${slot('site')} then 0 else 1 end, s.no desc limit ${slot('limit')} + 0`,
);
const writeRow = defineStatement(
  () => sql`insert into preview_settings (site_no, addresses, secret, secret_hash)
    values (${slot('site')}, ${slot('addresses')}, ${slot('secret')}, ${slot('hash')})
    on conflict (site_no) do update
      set addresses = excluded.addresses, secret = excluded.secret, secret_hash = excluded.secret_hash`,
);
const deleteRow = defineStatement(() => sql`delete from preview_settings where site_no = ${slot('site')}`);

export function* selectPreviewSettings(siteNo: number): Procedure<PreviewSettings> {
  const [row] = yield* query<SettingsRow>(selectRow, { site: siteNo });
  return row === undefined
    ? { addresses: [], secret: null }
    : { addresses: parseStored(row.addresses), secret: row.secret };
}

/** More URLs would not fit in a header. */
const MOST_SITES = 200;

/** The URLs of the account's websites. @param siteId the site whose websites come first */
export function* selectAddressesOfAccount(accountNo: number, siteId: string): Procedure<readonly string[]> {
  const slots = { account: accountNo, site: siteId, limit: MOST_SITES };
  const rows = yield* query<Pick<SettingsRow, 'addresses'>>(selectOfAccount, slots);
  return rows.flatMap(({ addresses }) =>
    parseStored<readonly PreviewAddress[]>(addresses).map(({ address }) => address),
  );
}

export function* writePreviewSettings(
  siteNo: number,
  { addresses, secret }: PreviewSettings & { readonly secret: string },
): Procedure<void> {
  yield* query(writeRow, { site: siteNo, addresses: JSON.stringify(addresses), secret, hash: hashToken(secret) });
}

export function* deletePreviewSettings(siteNo: number): Procedure<void> {
  yield* query(deleteRow, { site: siteNo });
}
