// API keys of the delivery API in the management API.

/** An API key; of its token only the beginning is known. */
export interface ApiKeyBody {
  readonly id: string;
  readonly name: string;
  /** The beginning of the token, to recognise it by. */
  readonly prefix: string;
  /** The sites that it may read; empty where it may read all. */
  readonly sites: readonly string[];
  /** Whether it may read every site of the account, those of the future too. */
  readonly all_sites: boolean;
  /** Whether it may read what is not published. */
  readonly preview: boolean;
  readonly expires_at: string | null;
  /** Requests a minute; 0 for no limit, null for the server's own. */
  readonly rate_limit: number | null;
  /** Known to about half a minute. */
  readonly last_used_at: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** A new API key with its token, which is shown this once. */
export interface NewApiKeyBody extends ApiKeyBody {
  readonly token: string;
}
