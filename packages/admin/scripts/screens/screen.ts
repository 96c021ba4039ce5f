import type { Page } from 'playwright-core';

/** Somebody else at the same site. */
export interface Colleague {
  readonly rename: (contentId: string, name: string) => Promise<void>;
}

export interface Screen {
  /** The name of its pictures. */
  readonly name: string;
  /** Below /admin, on the furnished demo site. */
  readonly path: string;
  /** Who is there: without it somebody who is signed in. */
  readonly stage?: 'nobody yet' | 'nobody signed in';
  /** What a colleague does before one comes here. */
  readonly arrange?: (colleague: Colleague) => Promise<void>;
  /** Steps to take there first. */
  readonly prepare?: (page: Page, colleague: Colleague) => Promise<void>;
}
