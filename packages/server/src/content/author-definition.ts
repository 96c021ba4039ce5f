// The members of an author as they are given, in bundles and to the management API. An author is a by-line, not a login.

import { nameMember, textMember } from './schema-members.ts';
import { ASSET_URL_RULE, isAssetUrl } from './web-address.ts';

const EMAIL_PATTERN = /^[^\s@]{1,255}@[^\s@]{1,255}$/;

export const authorMembers = {
  name: nameMember,
  email: textMember('an e-mail address like ada@example.com', (text) => EMAIL_PATTERN.test(text)),
  profile_photo_url: textMember(ASSET_URL_RULE, isAssetUrl),
} as const;
