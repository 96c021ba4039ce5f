// What people and tokens of an account may do: an owner everything, an editor content.

export const ROLES = ['owner', 'editor'] as const;

export type Role = (typeof ROLES)[number];
