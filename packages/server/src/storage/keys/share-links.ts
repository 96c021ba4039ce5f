// Links that show one content object, as it was last saved, to people without an account. A token is stored only as a hash. A revoked link
// is deleted.

import { sql } from 'kysely';
import type { Saver } from '../contents/content-versions.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface ShareLink {
  readonly id: string;
  readonly addressId: string;
  /** The name of the address when the link was created. */
  readonly addressName: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The person who created it, with their name at that time. */
  readonly createdBy: Saver;
}

export interface NewShareLink extends ShareLink {
  readonly siteNo: number;
  readonly contentNo: number;
  readonly tokenHash: string;
}

interface LinkRow {
  readonly id: string;
  readonly address_id: string;
  readonly address_name: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly created_by: string;
  readonly created_by_id: string | null;
}

const selectRows = defineStatement(
  () => sql`select id, address_id, address_name, created_at, expires_at, created_by, created_by_id from share_links
    where content_no = ${slot('content')} and expires_at > ${slot('now')} order by no desc`,
);
const insertRow = defineStatement(
  () => sql`insert into share_links (site_no, content_no, id, token_hash, address_id, address_name, created_at, expires_at,
      created_by, created_by_id)
    values (${slot('site')}, ${slot('content')}, ${slot('id')}, ${slot('hash')}, ${slot('addressId')}, ${slot('addressName')},
      ${slot('createdAt')}, ${slot('expiresAt')}, ${slot('createdBy')}, ${slot('createdById')})`,
);
const deleteRow = defineStatement(() => sql`delete from share_links where id = ${slot('id')}`);
const deleteExpired = defineStatement(
  () => sql`delete from share_links where site_no = ${slot('site')} and expires_at <= ${slot('now')}`,
);
const deleteOfAddress = defineStatement(
  () => sql`delete from share_links where site_no = ${slot('site')} and address_id = ${slot('address')}`,
);
const deleteOfCreator = defineStatement(() => sql`delete from share_links where created_by_id = ${slot('creator')}`);

/** The content's links that still work, newest first. */
export function* selectShareLinks(contentNo: number, now: number): Procedure<readonly ShareLink[]> {
  return (yield* query<LinkRow>(selectRows, { content: contentNo, now })).map((row) => ({
    id: row.id,
    addressId: row.address_id,
    addressName: row.address_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    createdBy: { id: row.created_by_id, name: row.created_by },
  }));
}

/** Also deletes the site's expired links. */
export function* insertShareLink(link: NewShareLink): Procedure<void> {
  const { siteNo: site, contentNo: content, id, tokenHash: hash, addressId, addressName, createdAt, expiresAt } = link;
  const { name: createdBy, id: createdById } = link.createdBy;
  yield* query(deleteExpired, { site, now: createdAt });
  const values = { site, content, id, hash, addressId, addressName, createdAt, expiresAt, createdBy, createdById };
  yield* query(insertRow, values);
}

export function* deleteShareLink(id: string): Procedure<void> {
  yield* query(deleteRow, { id });
}

/** Call this when a preview address is removed. */
export function* deleteShareLinksOfAddress(siteNo: number, addressId: string): Procedure<void> {
  yield* query(deleteOfAddress, { site: siteNo, address: addressId });
}

/** @param creatorId the id of a user or a management token */
export function* deleteShareLinksOf(creatorId: string): Procedure<void> {
  yield* query(deleteOfCreator, { creator: creatorId });
}
