// An id consists of a prefix for its kind and a UUID that sorts by creation time. Imported ids may have other formats.

const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export const ID_RULE = '1 to 64 characters from A-Z a-z 0-9 _ -';

const KIND_PREFIXES = {
  content: 'c',
  site: 's',
  author: 'u',
  contentType: 't',
  field: 'f',
  asset: 'a',
  key: 'k',
  account: 'o',
  user: 'm',
  managementToken: 'n',
  webhook: 'wh',
  webhookCall: 'msg',
  previewAddress: 'pa',
  shareLink: 'sl',
} as const;

export type IdKind = keyof typeof KIND_PREFIXES;

export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** @param uuid a UUIDv7, which starts with the time, so ids sort by creation time */
export function buildId(kind: IdKind, uuid: string): string {
  return `${KIND_PREFIXES[kind]}_${uuid.replaceAll('-', '')}`;
}
