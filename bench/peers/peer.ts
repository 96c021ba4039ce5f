// Another content system and its setup for the comparison: its packages, how it loads the articles, how it is started and which URLs are
// requested. Everything comes from npm, at fixed versions.

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Properties of its package.json, in addition to the name. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Whether packages compile or download something during installation. */
  readonly needsInstallScripts: boolean;
  /** The peer's project files, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: (port: number) => Readonly<Record<string, string>>;
  /**
   * Commands that load the articles from `articles.ndjson` into its database and write the IDs of the first thousand articles to
   * `ids.json`. The first word is a program in the project, or `node`.
   */
  readonly preparations: readonly (readonly string[])[];
  readonly start: (port: number) => readonly string[];
  /** Runs once the system responds, for setup that requires its API. */
  readonly furnish?: (origin: string, folder: string) => Promise<void>;
  readonly objectPath: (id: string) => string;
  /** Newest first, 20 per page. */
  readonly listPath: (page: number) => string;
}
