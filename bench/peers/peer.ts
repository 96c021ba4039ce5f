// Another content system, as it is set up to be measured: what it is made of, how it gets the articles, how it is started
// and where it is asked. Everything comes from npm, at fixed versions.

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Members of its package.json, beside its name. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Whether packages compile or fetch something when they are installed. */
  readonly needsInstallScripts: boolean;
  /** The files of its project, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment: (port: number) => Readonly<Record<string, string>>;
  /**
   * Commands that end with the articles of `articles.ndjson` in its database and, in `ids.json`, a list of the ids of the
   * first thousand. The first word is a program of the project or `node`.
   */
  readonly preparations: readonly (readonly string[])[];
  readonly start: (port: number) => readonly string[];
  /** Carried out once it answers, for what has to be set up over its API. */
  readonly furnish?: (origin: string, folder: string) => Promise<void>;
  readonly objectPath: (id: string) => string;
  /** The newest first, 20 a page. */
  readonly listPath: (page: number) => string;
}
