// The addresses at which a site's drafts can be previewed, and the secret that opens the previews.

import { sql } from 'kysely';
import type { PreviewAddress } from '../../content/preview-rules.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface PreviewSettings {
  readonly addresses: readonly PreviewAddress[];
  /** Null until the first address is saved. No log line, audit entry or export may contain it. */
  readonly secret: string | null;
}

interface SettingsRow {
  readonly addresses: string;
  readonly secret: string;
}

const selectRow = defineStatement(
  () => sql`select addresses, secret from preview_settings where site_no = ${slot('site')}`,
);
const writeRow = defineStatement(
  () => sql`insert into preview_settings (site_no, addresses, secret)
    values (${slot('site')}, ${slot('addresses')}, ${slot('secret')})
    on conflict (site_no) do update set addresses = excluded.addresses, secret = excluded.secret`,
);
const deleteRow = defineStatement(() => sql`delete from preview_settings where site_no = ${slot('site')}`);

export function* selectPreviewSettings(siteNo: number): Procedure<PreviewSettings> {
  const [row] = yield* query<SettingsRow>(selectRow, { site: siteNo });
  return row === undefined
    ? { addresses: [], secret: null }
    : { addresses: parseStored(row.addresses), secret: row.secret };
}

export function* writePreviewSettings(
  siteNo: number,
  { addresses, secret }: PreviewSettings & { readonly secret: string },
): Procedure<void> {
  yield* query(writeRow, { site: siteNo, addresses: JSON.stringify(addresses), secret });
}

export function* deletePreviewSettings(siteNo: number): Procedure<void> {
  yield* query(deleteRow, { site: siteNo });
}
