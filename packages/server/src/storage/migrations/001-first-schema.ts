// The tables. Records have an internal number (`no`) that other rows refer to, and an id that is unique within its site.
// `published_*` is the read model for the delivery API and never contains anything unpublished. `preview_*` has the same structure and
// contains only content whose newest saved version is not the published one.

import type { ColumnTypes } from '../engine.ts';

export function createFirstSchema(types: ColumnTypes): readonly string[] {
  return [
    ...createAccountTables(types),
    ...createCatalogTables(types),
    ...createAuthoringTables(types),
    ...createReadModel('published', types),
    ...createReadModel('preview', types),
    ...createDepartedTable(types),
    ...createKeyTables(types),
  ];
}

/** Accounts own everything. An installation starts with one account, which owns everything that commands and imports create. */
function createAccountTables({ serial, integer, text }: ColumnTypes): readonly string[] {
  return [
    `create table accounts (
      no ${serial}, id ${text} not null unique, name ${text} not null, created_at ${integer} not null
    )`,
    `insert into accounts (id, name, created_at) values ('o_main', 'Main account', 0)`,
    // An email address is stored as given, and compared by its key.
    `create table users (
      no ${serial}, account_no ${integer} not null references accounts (no), id ${text} not null unique,
      email ${text} not null, email_key ${text} not null unique, name ${text} not null, role ${text} not null,
      password_hash ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      suspended_at ${integer}, last_sign_in_at ${integer}
    )`,
    `create index users_account on users (account_no, email_key)`,
    `create table sessions (
      token_hash ${text} primary key, user_no ${integer} not null references users (no), csrf_token ${text} not null,
      created_at ${integer} not null, expires_at ${integer} not null, address ${text}, agent ${text}
    )`,
    `create index sessions_user on sessions (user_no)`,
    `create index sessions_expires_at on sessions (expires_at)`,
    `create table management_tokens (
      id ${text} primary key, account_no ${integer} not null references accounts (no), name ${text} not null,
      role ${text} not null, token_hash ${text} not null unique, prefix ${text} not null,
      created_at ${integer} not null, expires_at ${integer}, revoked_at ${integer}, last_used_at ${integer}
    )`,
    `create index management_tokens_account on management_tokens (account_no, id)`,
    // Rows are added and never changed. They contain the names at the time of the action, so they can be read without other tables.
    `create table audit_entries (
      no ${serial}, account_no ${integer} not null references accounts (no), at ${integer} not null,
      actor_kind ${text} not null, actor_id ${text}, actor_name ${text} not null, address ${text},
      action ${text} not null, site_id ${text}, subject_id ${text}, subject_name ${text}, details ${text}
    )`,
    `create index audit_entries_account on audit_entries (account_no, no)`,
    ...['action', 'actor_id', 'site_id'].map(
      (column) => `create index audit_entries_${column} on audit_entries (account_no, ${column}, no)`,
    ),
  ];
}

function createCatalogTables({ serial, integer, text }: ColumnTypes): readonly string[] {
  return [
    // `generation` changes whenever anything that readers can see changes; `catalog` changes only with this group of tables.
    `create table sites (
      no ${serial}, account_no ${integer} not null references accounts (no), id ${text} not null unique,
      name ${text} not null, url ${text}, default_language ${text} not null, languages ${text} not null, generation ${integer} not null, catalog ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null
    )`,
    `create index sites_account on sites (account_no, id)`,
    `create table authors (
      no ${serial}, site_no ${integer} not null references sites (no), id ${text} not null,
      name ${text} not null, name_key ${text} not null, email ${text}, profile_photo_url ${text},
      unique (site_no, id)
    )`,
    `create index authors_name on authors (site_no, name_key, no)`,
    `create table assets (
      no ${serial}, site_no ${integer} not null references sites (no), id ${text} not null,
      name ${text} not null, name_key ${text} not null, description ${text}, path ${text} not null, url ${text} not null,
      extension ${text} not null, size ${integer} not null, mime_type ${text} not null,
      width ${integer}, height ${integer},
      unique (site_no, id)
    )`,
    `create index assets_name on assets (site_no, name_key, no)`,
    `create table content_types (
      no ${serial}, site_no ${integer} not null references sites (no), id ${text} not null,
      handle ${text} not null, name ${text} not null, object_type ${text} not null, uri_pattern ${text} not null,
      next_slot ${integer} not null,
      unique (site_no, id), unique (site_no, handle)
    )`,
    `create table fields (
      no ${serial}, site_no ${integer} not null references sites (no),
      type_no ${integer} not null references content_types (no), id ${text} not null,
      handle ${text} not null, name ${text} not null, help_text ${text}, type ${text} not null,
      is_required ${integer} not null, settings ${text} not null,
      is_hidden ${integer} not null, slot ${integer} not null, position ${integer} not null,
      marks_missing ${integer} not null,
      unique (site_no, id), unique (type_no, handle), unique (type_no, slot)
    )`,
  ];
}

function createAuthoringTables({ serial, integer, text, narrowTable }: ColumnTypes): readonly string[] {
  return [
    `create table contents (
      no ${serial}, site_no ${integer} not null references sites (no), id ${text} not null,
      type_no ${integer} not null references content_types (no), language ${text} not null,
      translation_group ${text} not null, status ${text} not null, slug ${text} not null,
      name ${text} not null, name_key ${text} not null, author_no ${integer} references authors (no),
      newest_version ${integer} not null, published_version ${integer}, published_at ${integer},
      publish_at ${integer}, unpublish_at ${integer}, source_digest ${text},
      created_at ${integer} not null, updated_at ${integer} not null,
      unique (site_no, id), unique (site_no, translation_group, language)
    )`,
    `create index contents_by_id on contents (id)`,
    `create index contents_type on contents (type_no, no)`,
    `create index contents_publish_at on contents (publish_at) where publish_at is not null`,
    `create index contents_unpublish_at on contents (unpublish_at) where unpublish_at is not null`,
    // For editors' lists, which contain all content in a site. The indexes include the filter columns, so only the index is read to find
    // the few matching rows.
    ...['updated_at', 'created_at', 'name_key'].map(
      (
        column,
      ) => `create index contents_${column} on contents (site_no, ${column}, no, status, type_no, language, author_no,
        newest_version, published_version, publish_at, unpublish_at${column === 'name_key' ? '' : ', name_key'})`,
    ),
    `create unique index contents_slug on contents (site_no, type_no, language, slug) where status <> 'archived'`,
    `create table content_versions (
      content_no ${integer} not null references contents (no), number ${integer} not null,
      saved_at ${integer} not null, saved_by ${text}, saved_by_id ${text}, name ${text} not null, slug ${text} not null, uri ${text},
      author_no ${integer} references authors (no), seo ${text} not null, fields ${text} not null,
      primary key (content_no, number)
    )`,
    // Before an author or an asset is deleted, its uses are looked up here. An asset is in use if the newest or published version of
    // any content includes it.
    `create table content_assets (
      site_no ${integer} not null, asset_id ${text} not null, content_no ${integer} not null, standing ${text} not null,
      primary key (site_no, asset_id, content_no, standing)
    ) ${narrowTable}`,
    `create index content_assets_content on content_assets (content_no, standing)`,
    `create index contents_author on contents (author_no)`,
    `create index content_versions_author on content_versions (author_no, content_no)`,
  ];
}

/** The sort key columns of the attributes that lists can be sorted by. */
const SORT_COLUMNS = ['published_at', 'created_at', 'updated_at', 'name_key', 'slug_key', 'uri_key'] as const;

function createReadModel(model: 'published' | 'preview', types: ColumnTypes): readonly string[] {
  const { integer, number, text, narrowTable } = types;
  const contents = `${model}_contents`;
  // Every list is a range of an index. Ids ascend for both directions of a key, so each direction needs its own index.
  const orders = SORT_COLUMNS.flatMap((column) => [
    [column, 'asc'],
    [column, 'desc'],
  ]);
  return [
    `create table ${contents} (
      content_no ${integer} primary key, site_no ${integer} not null, language ${text} not null,
      type_no ${integer} not null, author_no ${integer}, translation_group ${text} not null,
      id ${text} not null, slug ${text} not null, name ${text} not null, uri ${text} not null,
      name_key ${text} not null, slug_key ${text} not null, uri_key ${text} not null,
      published_at ${integer}, created_at ${integer} not null, updated_at ${integer} not null,
      body ${text} not null,
      unique (site_no, id)
    )`,
    ...orders.flatMap(([column, direction]) => [
      `create index ${contents}_${column}_${direction} on ${contents} (site_no, language, ${column} ${direction}, id)`,
      `create index ${contents}_type_${column}_${direction} on ${contents} (site_no, language, type_no, ${column} ${direction}, id)`,
    ]),
    `create index ${contents}_id on ${contents} (site_no, language, id)`,
    `create index ${contents}_type_id on ${contents} (site_no, language, type_no, id)`,
    `create unique index ${contents}_slug on ${contents} (site_no, language, slug, type_no)`,
    `create index ${contents}_author on ${contents} (site_no, language, author_no, published_at desc, id)`,
    `create index ${contents}_group on ${contents} (site_no, translation_group, language)`,
    ...createValueTable(`${model}_texts`, text, `digest ${text},`, types),
    ...createValueTable(`${model}_numbers`, number, '', types),
    `create table ${model}_tokens (
      field_no ${integer} not null, token ${text} not null, content_no ${integer} not null,
      primary key (field_no, token, content_no)
    ) ${narrowTable}`,
    `create index ${model}_tokens_content on ${model}_tokens (content_no)`,
    // The links in content and its blocks, indexed by target to find incoming links.
    `create table ${model}_links (
      site_no ${integer} not null, target_id ${text} not null, content_no ${integer} not null,
      primary key (site_no, target_id, content_no)
    ) ${narrowTable}`,
    `create index ${model}_links_content on ${model}_links (content_no)`,
  ];
}

/** The value of one sortable field. A null key marks content that has no value, although its type has the field. */
function createValueTable(table: string, keyType: string, extra: string, types: ColumnTypes): readonly string[] {
  const { integer, text, narrowTable } = types;
  return [
    `create table ${table} (
      content_no ${integer} not null, field_no ${integer} not null, language ${text} not null,
      key ${keyType}, id ${text} not null, ${extra}
      primary key (content_no, field_no)
    ) ${narrowTable}`,
    `create index ${table}_asc on ${table} (field_no, language, key, id)`,
    `create index ${table}_desc on ${table} (field_no, language, key desc, id)`,
  ];
}

/** Former sort keys of content whose position in the order has changed, for cursors that still point to the old position. */
function createDepartedTable({ integer, text }: ColumnTypes): readonly string[] {
  return [
    `create table departed_keys (
      model ${text} not null, site_no ${integer} not null, id ${text} not null,
      left_at ${integer} not null, keys ${text} not null
    )`,
    'create index departed_keys_id on departed_keys (model, site_no, id)',
    'create index departed_keys_left_at on departed_keys (left_at)',
  ];
}

function createKeyTables({ integer, text }: ColumnTypes): readonly string[] {
  return [
    `create table api_keys (
      id ${text} primary key, account_no ${integer} not null references accounts (no), name ${text} not null,
      token_hash ${text} not null unique, prefix ${text} not null, has_all_sites ${integer} not null, may_preview ${integer} not null,
      expires_at ${integer}, rate_limit ${integer}, created_at ${integer} not null, revoked_at ${integer},
      last_used_at ${integer}
    )`,
    `create index api_keys_account on api_keys (account_no, created_at, id)`,
    `create table api_key_sites (
      key_id ${text} not null references api_keys (id), site_no ${integer} not null references sites (no),
      primary key (key_id, site_no)
    )`,
  ];
}
