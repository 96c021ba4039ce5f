declare namespace App {
  interface Locals {
    /** The content that the visitor who sent this request may read. */
    readonly access: import('./lib/draft-mode.ts').Access;
  }
}
