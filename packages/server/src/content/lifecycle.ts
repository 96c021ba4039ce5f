// The states of content. Only `published` content is visible to readers.

export const CONTENT_STATUSES = ['draft', 'published', 'unpublished', 'archived'] as const;

export type ContentStatus = (typeof CONTENT_STATUSES)[number];
