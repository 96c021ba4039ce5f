// What a site allows people to upload. Null means that only the limits of the service apply.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface UploadSettings {
  readonly keepsLocation: boolean;
  /** Media types (`application/pdf`) and beginnings of media types (`image/`). */
  readonly types: readonly string[] | null;
  readonly mostMb: number | null;
  readonly mostMegapixels: number | null;
}

interface UploadSettingsRow {
  readonly keeps_location: number;
  readonly upload_types: string | null;
  readonly most_upload_mb: number | null;
  readonly most_megapixels: number | null;
}

const selectSettings = defineStatement(
  () =>
    sql`select keeps_location, upload_types, most_upload_mb, most_megapixels from sites where no = ${slot('site')}`,
);

export function* selectUploadSettings(siteNo: number): Procedure<UploadSettings> {
  const [row] = yield* query<UploadSettingsRow>(selectSettings, { site: siteNo });
  if (row === undefined) throw new Error(`There is no site ${siteNo}`);
  return {
    keepsLocation: row.keeps_location === 1,
    types: row.upload_types === null ? null : row.upload_types.split(',').map((type) => type.trim()),
    mostMb: row.most_upload_mb,
    mostMegapixels: row.most_megapixels,
  };
}
