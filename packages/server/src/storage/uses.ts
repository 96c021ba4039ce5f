// What refers to something: how much, and what of it comes first.

export interface UsingContent {
  readonly id: string;
  readonly name: string;
}

export interface Uses {
  readonly total: number;
  /** The first of them, by id. */
  readonly contents: readonly UsingContent[];
}
