// Uploaded files. `assets` contains the current file, because every response reads it; `asset_files` contains all files that an asset has
// had, so an earlier one can be restored, and an old URL still refers to the asset. Folders and tags group a site's assets for editors.

import type { ColumnTypes } from '../engine.ts';

export function keepAssetFiles({ serial, integer, number, text }: ColumnTypes): readonly string[] {
  return [
    // Without a digest, the asset is only a web address.
    `alter table assets add column sha256 ${text}`,
    `alter table assets add column file_name ${text}`,
    `alter table assets add column focal_x ${number}`,
    `alter table assets add column focal_y ${number}`,
    `alter table assets add column placeholder ${text}`,
    `alter table assets add column colour ${text}`,
    `alter table assets add column folder ${text} not null default ''`,
    `alter table assets add column created_at ${integer} not null default 0`,
    `alter table assets add column folder_key ${text} not null default ''`,
    // Null until the asset is next saved, because SQL cannot build it from the name.
    `alter table assets add column search_key ${text}`,
    'create index assets_created on assets (site_no, created_at, no)',
    'create index assets_size on assets (site_no, size, no)',
    'create index assets_folder_name on assets (site_no, folder, name_key, no)',
    'create index assets_folder_created on assets (site_no, folder, created_at, no)',
    'create index assets_folder_size on assets (site_no, folder, size, no)',
    'create index assets_sha256 on assets (sha256, site_no)',
    `create table asset_files (
      no ${serial}, site_no ${integer} not null, asset_no ${integer} not null, version ${text} not null, sha256 ${text} not null,
      file_name ${text} not null, extension ${text} not null, mime_type ${text} not null, size ${integer} not null,
      width ${integer}, height ${integer}, placeholder ${text}, colour ${text},
      put_at ${integer} not null, replaced_at ${integer}, is_removed ${integer} not null default 0
    )`,
    'create index asset_files_asset on asset_files (asset_no, no)',
    'create index asset_files_site on asset_files (site_no, no)',
    'create index asset_files_sha256 on asset_files (sha256, replaced_at)',
    'create index asset_files_replaced on asset_files (replaced_at, no) where replaced_at is not null and is_removed = 0',
    `create table asset_tags (
      no ${serial}, site_no ${integer} not null, asset_no ${integer} not null, tag_key ${text} not null, tag ${text} not null,
      unique (asset_no, tag_key)
    )`,
    'create index asset_tags_site on asset_tags (site_no, tag_key, asset_no, tag)',
    `create table asset_folders (
      no ${serial}, site_no ${integer} not null, path ${text} not null,
      unique (site_no, path)
    )`,
    `create table image_presets (
      no ${serial}, site_no ${integer} not null, name ${text} not null, parameters ${text} not null,
      unique (site_no, name)
    )`,
    `alter table sites add column keeps_location ${integer} not null default 0`,
    `alter table sites add column upload_types ${text}`,
    `alter table sites add column most_upload_mb ${integer}`,
    `alter table sites add column most_megapixels ${integer}`,
    `alter table sites add column image_access ${text} not null default 'open'`,
    `alter table sites add column requires_description ${integer} not null default 0`,
  ];
}
