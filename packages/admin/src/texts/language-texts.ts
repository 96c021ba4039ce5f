export const LANGUAGE_TEXTS = {
  search: 'Search for a language',
  nothingFound: 'No language found. Try its English name.',
} as const;
