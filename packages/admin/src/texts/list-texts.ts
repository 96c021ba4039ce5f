// Text shared by all lists: searching, loading more, and changing the order.

export const LIST_TEXTS = {
  toSearch: 'Search',
  loadingMore: 'Loading more',
  moreFailed: 'The rest of the list could not be loaded.',
  nothingFoundTitle: 'Nothing found',
  nothingFoundText: 'Try a different search.',
  clearSearch: 'Clear search',
} as const;

export const ORDER_TEXTS = {
  moveOf: (name: string) => `Move ${name}`,
  moveUp: 'Move up',
  moveDown: 'Move down',
  sortable: 'movable item',
  dragHelp:
    'Press the up or down arrow key to move the item. Or press Space to pick it up, and Space again to drop it.',
  dragStarted: (name: string) => `Picked up ${name}.`,
  dragOver: (name: string, place: number, total: number) => `${name} is at position ${place} of ${total}.`,
  dragEnded: (name: string, place: number, total: number) => `${name} was moved to position ${place} of ${total}.`,
  dragCancelled: (name: string) => `${name} was not moved.`,
} as const;
