// Converts preview addresses between the form's values and the API's format.

import type { PreviewSettingsBody } from '@galley/wire';

type Address = PreviewSettingsBody['addresses'][number];

export interface AddressDraft {
  /** Identifies the row while it is being edited. */
  readonly key: string;
  /** Undefined for a new address. */
  readonly id: string | undefined;
  readonly name: string;
  readonly address: string;
  /** Empty for the default pattern. */
  readonly pattern: string;
}

let draftCount = 0;

/** A new address, which starts empty. */
export function createAddressDraft(): AddressDraft {
  draftCount += 1;
  return { key: `new ${draftCount}`, id: undefined, name: '', address: '', pattern: '' };
}

export function readAddresses(addresses: readonly Address[]): readonly AddressDraft[] {
  return addresses.map(({ id, name, address, pattern }) => ({ key: id, id, name, address, pattern: pattern ?? '' }));
}

/** Empty rows stay in the list, so that errors refer to the right row. */
export function buildAddresses(drafts: readonly AddressDraft[]) {
  return drafts.map(({ id, name, address, pattern }) => ({
    ...(id === undefined ? {} : { id }),
    name: name.trim(),
    address: address.trim(),
    pattern: pattern.trim() === '' ? null : pattern.trim(),
  }));
}

export function haveSameAddresses(one: Pick<PreviewSettingsBody, 'addresses'>, other: typeof one): boolean {
  return JSON.stringify(one.addresses) === JSON.stringify(other.addresses);
}

/** Whether any address has an origin that no address had before. */
export function hasNewOrigin(before: readonly Address[], now: readonly Address[]): boolean {
  const known = new Set(before.map(readOrigin));
  return now.some((address) => !known.has(readOrigin(address)));
}

function readOrigin({ address }: Address): string {
  return new URL(address).origin;
}
