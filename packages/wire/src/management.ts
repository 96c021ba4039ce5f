// The bodies of the management API.

/** What every refusal of the management API answers with. */
export interface ManagementErrorBody {
  /** One sentence for a person. */
  readonly message: string;
  /** Everything that is wrong with what was sent, each with its place, like `fields.rank.number`. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** What helps to go on; which members it has depends on the route. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The account that sites, users and keys belong to. */
export interface AccountBody {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}
