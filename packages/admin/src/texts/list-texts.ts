// Texts that long lists share.

export const LIST_TEXTS = {
  toSearch: 'Search',
  loadingMore: 'Loading more',
  moreFailed: 'The rest of the list could not be loaded.',
  nothingFoundTitle: 'Nothing found',
  nothingFoundText: 'Try another search, or fewer letters of it.',
  clearSearch: 'Clear search',
} as const;
