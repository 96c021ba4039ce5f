// A site's asset settings, and the presets for its image URLs.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface AssetSettings {
  /** Whether uploaded pictures keep their location data. */
  readonly keepsLocation: boolean;
  /** Media types, or prefixes such as `image/`; null for all. */
  readonly uploadTypes: readonly string[] | null;
  /** Null for the service's limit. */
  readonly mostUploadMb: number | null;
  readonly mostMegapixels: number | null;
  /** `signed`: image URLs need a preset or a signature. */
  readonly imageAccess: 'open' | 'signed';
  /** Whether content can be published only if its images have descriptions. */
  readonly requiresDescription: boolean;
}

interface SettingsRow {
  readonly keeps_location: number;
  readonly upload_types: string | null;
  readonly most_upload_mb: number | null;
  readonly most_megapixels: number | null;
  readonly image_access: AssetSettings['imageAccess'];
  readonly requires_description: number;
}

const selectSettings = defineStatement(
  () => sql`select keeps_location, upload_types, most_upload_mb, most_megapixels, image_access, requires_description
    from sites where no = ${slot('site')}`,
);
const updateSettings = defineStatement(
  () => sql`update sites set keeps_location = ${slot('keeps_location')}, upload_types = ${slot('upload_types')},
    most_upload_mb = ${slot('most_upload_mb')}, most_megapixels = ${slot('most_megapixels')},
    image_access = ${slot('image_access')}, requires_description = ${slot('requires_description')}
    where no = ${slot('site')}`,
);

export function* selectAssetSettings(siteNo: number): Procedure<AssetSettings> {
  const [row] = yield* query<SettingsRow>(selectSettings, { site: siteNo });
  if (row === undefined) throw new Error(`There is no site with the number ${siteNo}`);
  return {
    keepsLocation: row.keeps_location === 1,
    uploadTypes: row.upload_types === null ? null : row.upload_types.split(','),
    mostUploadMb: row.most_upload_mb,
    mostMegapixels: row.most_megapixels,
    imageAccess: row.image_access,
    requiresDescription: row.requires_description === 1,
  };
}

/** Readers never see these settings in content, so changes to them are not announced. */
export function* writeAssetSettings(siteNo: number, settings: AssetSettings): Procedure<void> {
  yield* query(updateSettings, {
    site: siteNo,
    keeps_location: Number(settings.keepsLocation),
    upload_types: settings.uploadTypes === null ? null : settings.uploadTypes.join(','),
    most_upload_mb: settings.mostUploadMb,
    most_megapixels: settings.mostMegapixels,
    image_access: settings.imageAccess,
    requires_description: Number(settings.requiresDescription),
  });
}

export interface ImagePresetRow {
  readonly name: string;
  /** The query of an image URL, such as `w=300&fit=crop`. */
  readonly parameters: string;
}

const selectPresets = defineStatement(
  () => sql`select name, parameters from image_presets where site_no = ${slot('site')} order by name`,
);
const upsertPreset = defineStatement(
  () => sql`insert into image_presets (site_no, name, parameters)
    values (${slot('site')}, ${slot('name')}, ${slot('parameters')})
    on conflict (site_no, name) do update set parameters = excluded.parameters`,
);
const deletePresetRow = defineStatement(
  () => sql`delete from image_presets where site_no = ${slot('site')} and name = ${slot('name')}`,
);

/** Sorted by name. */
export function* selectImagePresets(siteNo: number): Procedure<readonly ImagePresetRow[]> {
  return yield* query<ImagePresetRow>(selectPresets, { site: siteNo });
}

export function* writeImagePreset(siteNo: number, { name, parameters }: ImagePresetRow): Procedure<void> {
  yield* query(upsertPreset, { site: siteNo, name, parameters });
}

export function* deleteImagePreset(siteNo: number, name: string): Procedure<void> {
  yield* query(deletePresetRow, { site: siteNo, name });
}
