// The lists of the management API.

/** A page of a list of the management API. */
export interface ManagementPageBody<Item> {
  readonly data: readonly Item[];
  /** The `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}
