// What people and tokens of an account may do: an owner everything, an editor content.

export const ROLES = ['owner', 'editor'] as const;

export type Role = (typeof ROLES)[number];

/** Nobody can grant rights that they do not have. */
export function mayGrant(own: Role, granted: Role): boolean {
  return own === 'owner' || granted === own;
}
