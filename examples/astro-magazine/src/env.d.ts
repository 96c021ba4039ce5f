declare namespace App {
  interface Locals {
    /** What the visitor of this request may read. */
    readonly access: import('./lib/draft-mode.ts').Access;
  }
}
