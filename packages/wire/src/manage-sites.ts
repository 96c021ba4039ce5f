// Sites in the management API.

/** A site. */
export interface SiteBody {
  readonly id: string;
  readonly name: string;
  /** The address that content's urls start with, without a slash at its end. */
  readonly url: string | null;
  readonly default_language: string;
  /** The default language among them, in the order in which they were added. */
  readonly languages: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}
