// The addresses where a site's drafts can be previewed, the secret that opens these previews, and links that show one draft to people
// without an account. Only a hash of a link's token is stored. Owners can read the secret again; requests find it by its hash.

import type { ColumnTypes } from '../engine.ts';

export function keepPreviews({ serial, integer, text }: ColumnTypes): readonly string[] {
  return [
    `create table preview_settings (
      site_no ${integer} primary key, addresses ${text} not null, secret ${text} not null,
      secret_hash ${text} not null unique
    )`,
    `create table share_links (
      no ${serial}, site_no ${integer} not null, content_no ${integer} not null, id ${text} not null unique,
      token_hash ${text} not null unique, address_id ${text} not null, address_name ${text} not null,
      created_at ${integer} not null, expires_at ${integer} not null, created_by ${text} not null, created_by_id ${text}
    )`,
    'create index share_links_content on share_links (content_no, no)',
    'create index share_links_expires on share_links (site_no, expires_at)',
    'create index share_links_creator on share_links (created_by_id)',
  ];
}
