// Changes the addresses at which a site's drafts can be previewed, and the secret that opens the previews. No audit entry contains the
// secret or a pattern, because a pattern may contain one of the website's own secrets.

import { buildToken, TOKEN_BYTES } from '../../content/api-token.ts';
import type { Site } from '../../content/catalog.ts';
import type { Fault } from '../../content/fault.ts';
import { buildId } from '../../content/ids.ts';
import { MOST_PREVIEW_ADDRESSES, type PreviewAddress } from '../../content/preview-rules.ts';
import { composeText } from '../../content/text-rules.ts';
import type { StoredContentRecord } from '../../storage/contents/content-records.ts';
import { deleteShareLinksOfAddress } from '../../storage/keys/share-links.ts';
import {
  type PreviewSettings,
  selectPreviewSettings,
  writePreviewSettings,
} from '../../storage/sites/preview-settings.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { describeChange } from '../audit-note.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { selectOwnRecord } from '../contents/find-content.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findSite, selectOwnSite } from './find-site.ts';

/** An address without an id is new. */
type GivenAddress = Omit<PreviewAddress, 'id'> & { readonly id?: string | undefined };

/** Receives the current addresses and returns the new ones. */
export type AddressChange = (known: readonly PreviewAddress[]) => readonly GivenAddress[];

export function* selectOwnPreview(actor: Actor, siteId: string): Procedure<PreviewSettings> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectPreviewSettings(site.no);
}

/** Replaces all addresses. The share links of removed addresses stop working. */
export function updatePreviewAddresses(
  desk: Desk,
  actor: Actor,
  siteId: string,
  change: AddressChange,
): Promise<PreviewSettings> {
  return work(desk, actor, async (job) => changePreviewAddresses(job, await findSite(job, siteId), change));
}

/** Like `updatePreviewAddresses`, but as part of a larger change. */
export async function changePreviewAddresses(job: Job, site: Site, change: AddressChange): Promise<PreviewSettings> {
  const before = await job.run(selectPreviewSettings(site.no));
  const given = change(before.addresses).map((each) => ({ ...each, name: composeText(each.name) }));
  const faults = findFaults(given, before.addresses);
  if (faults.length > 0) throw refuseFaults(faults);
  const addresses = given.map((each): PreviewAddress => {
    const { id = buildId('previewAddress', job.newUuid()), name, address, pattern } = each;
    return { id, name, address, pattern };
  });
  if (JSON.stringify(addresses) === JSON.stringify(before.addresses)) return before;
  const after = { addresses, secret: before.secret ?? buildSecret(job) };
  await job.run(writePreviewSettings(site.no, after));
  for (const { id } of before.addresses) {
    if (!addresses.some((each) => each.id === id)) await job.run(deleteShareLinksOfAddress(site.no, id));
  }
  const details = describeAddresses(before.addresses, addresses);
  await job.note({ action: 'preview.update', siteId: site.id, subjectId: site.id, subjectName: site.name, details });
  return after;
}

/** Preview addresses as plain URLs. Omitted properties stay as they are. */
export interface PreviewUrls {
  /**
   * The URL of the default address. If the site already has an address with this URL, it becomes the default; any other URL replaces the
   * URL of the current default. Null removes all addresses.
   */
  readonly url?: string | null | undefined;
  /** The URLs of all addresses. An address that the site already has keeps its name and pattern. */
  readonly urls?: readonly string[] | undefined;
}

export function placePreviewUrls(
  known: readonly PreviewAddress[],
  { url, urls }: PreviewUrls,
): readonly GivenAddress[] {
  if (url === null) return [];
  const addresses = urls === undefined ? known : matchUrls(known, urls);
  if (url === undefined) return addresses;
  const chosen = addresses.find(({ address }) => address === url);
  if (chosen !== undefined) return [chosen, ...addresses.filter((each) => each !== chosen)];
  const [first, ...others] = addresses;
  return first === undefined ? matchUrls([], [url]) : [{ ...first, address: url }, ...others];
}

function matchUrls(known: readonly PreviewAddress[], urls: readonly string[]): readonly GivenAddress[] {
  const unmatched = [...known];
  const matches = urls.map((url) => {
    const index = unmatched.findIndex(({ address }) => address === url);
    return index === -1 ? url : unmatched.splice(index, 1);
  });
  const names = new Set(matches.flatMap((match) => (typeof match === 'string' ? [] : match.map(({ name }) => name))));
  return matches.flatMap((match): readonly GivenAddress[] => {
    if (typeof match !== 'string') return match;
    const name = findFreeName(names, new URL(match).host);
    names.add(name);
    return [{ name, address: match, pattern: null }];
  });
}

/** @param host the name of a new address, followed by a number if another address already has that name */
function findFreeName(taken: ReadonlySet<string>, host: string): string {
  let name = host;
  for (let number = 2; taken.has(name); number += 1) name = `${host} (${number})`;
  return name;
}

function buildSecret({ randomBytes }: Job): string {
  return buildToken('preview', randomBytes(TOKEN_BYTES));
}

function findFaults(given: readonly GivenAddress[], known: readonly PreviewAddress[]): readonly Fault[] {
  if (given.length > MOST_PREVIEW_ADDRESSES) {
    const message = `must have at most ${MOST_PREVIEW_ADDRESSES} addresses, got ${given.length}`;
    const values = { max: MOST_PREVIEW_ADDRESSES, count: given.length };
    return [{ path: 'addresses', message, code: 'too_many', values }];
  }
  return given.flatMap(({ id, name }, index) => {
    const earlier = given.slice(0, index);
    const path = `addresses[${index}]`;
    const faults: Fault[] = [];
    if (earlier.some((each) => each.name === name)) {
      faults.push({ path: `${path}.name`, message: `is given twice; got ${JSON.stringify(name)}`, code: 'duplicate' });
    }
    if (id === undefined) return faults;
    const idPath = `${path}.id`;
    if (!known.some((each) => each.id === id)) {
      const values = { kind: 'preview_address', id };
      const message = `names an address that does not exist; got ${JSON.stringify(id)}`;
      faults.push({ path: idPath, message, code: 'not_found', values });
    } else if (earlier.some((each) => each.id === id)) {
      faults.push({ path: idPath, message: `is given twice; got ${JSON.stringify(id)}`, code: 'duplicate' });
    }
    return faults;
  });
}

function describeAddresses(before: readonly PreviewAddress[], after: readonly PreviewAddress[]) {
  const describe = (addresses: readonly PreviewAddress[]) =>
    addresses.map(({ name, address, pattern }) => ({ name, address, has_pattern: pattern !== null }));
  return describeChange({ addresses: describe(before) }, { addresses: describe(after) });
}

/** Once this returns, the old secret no longer works. A website with its own copy of the secret must be given the new one. */
export function rotatePreviewSecret(desk: Desk, actor: Actor, siteId: string): Promise<PreviewSettings> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const { addresses, secret } = await job.run(selectPreviewSettings(site.no));
    if (secret === null) throw refuseWithoutAddress(siteId);
    const after = { addresses, secret: buildSecret(job) };
    await job.run(writePreviewSettings(site.no, after));
    await job.note({ action: 'preview.rotate_secret', siteId, subjectId: siteId, subjectName: site.name });
    return after;
  });
}

function refuseWithoutAddress(siteId: string): AuthoringRefusal {
  const message = `Site ${siteId} has no preview address yet. An owner can add one.`;
  return new AuthoringRefusal(message, { reason: 'conflict', code: 'wrong_state', details: { reason: 'no_preview' } });
}

export interface PreviewPlace {
  readonly siteId: string;
  readonly contentId: string;
  /** The id of the address; undefined for the first one. */
  readonly addressId: string | undefined;
}

export interface FoundPreview {
  readonly record: StoredContentRecord;
  readonly address: PreviewAddress;
  readonly secret: string;
}

/** Finds content that has a preview. @param member the path of the address in the input, for faults */
export function* findPreview(actor: Actor, place: PreviewPlace, member: string): Procedure<FoundPreview> {
  const { siteId, contentId, addressId } = place;
  const record = yield* selectOwnRecord(actor, siteId, contentId);
  if (record.status === 'archived') {
    const message = `Content ${contentId} is archived, so it has no preview.`;
    const details = { reason: 'archived', state: record.status };
    throw new AuthoringRefusal(message, { reason: 'conflict', code: 'wrong_state', details });
  }
  const { addresses, secret } = yield* selectPreviewSettings(record.siteNo);
  const [first] = addresses;
  if (first === undefined || secret === null) throw refuseWithoutAddress(siteId);
  const address = addressId === undefined ? first : addresses.find(({ id }) => id === addressId);
  if (address === undefined) {
    const message = `names a preview address that does not exist; got ${JSON.stringify(addressId)}`;
    const values = { kind: 'preview_address', id: addressId ?? '' };
    throw refuseFaults([{ path: member, message, code: 'not_found', values }]);
  }
  return { record, address, secret };
}
