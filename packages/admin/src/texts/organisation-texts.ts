export const ORGANISATION_TEXTS = {
  intro: 'All sites, users and keys belong to your organisation.',
  name: 'Name',
} as const;
