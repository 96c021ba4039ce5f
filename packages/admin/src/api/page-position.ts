/** Where a page of a list begins, as the management API takes it; the first page has no cursor. */
export interface PagePosition {
  readonly limit: string;
  readonly cursor?: string;
}
