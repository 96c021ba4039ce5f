// What all calls of the management API have in common.

/** What every refusal of the management API answers with. */
export interface ManagementErrorBody {
  /** One sentence for a person. */
  readonly message: string;
  /** Everything that is wrong with what was sent, each with its place, like `fields.rank.number`. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** What helps to go on; which members it has depends on the route. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A page of a list of the management API. */
export interface ManagementPageBody<Item> {
  readonly data: readonly Item[];
  /** The `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}
