// The rights of users and tokens: an owner may do anything; an editor may edit content.

export const ROLES = ['owner', 'editor'] as const;

export type Role = (typeof ROLES)[number];

/** Nobody can grant rights that they do not have. */
export function mayGrant(own: Role, granted: Role): boolean {
  return own === 'owner' || granted === own;
}
