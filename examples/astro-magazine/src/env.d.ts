declare namespace App {
  interface Locals {
    /** What the visitor who sent this request may read. */
    readonly access: import('./lib/draft-mode.ts').Access;
  }
}
