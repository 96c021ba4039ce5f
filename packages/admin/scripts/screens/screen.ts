import type { Page } from 'playwright-core';

/** Somebody else who works on the same site. */
export interface Colleague {
  readonly rename: (contentId: string, name: string) => Promise<void>;
}

export interface Screen {
  /** Part of the screenshots' file names. */
  readonly name: string;
  /** Under /admin, on the prepared demo site. */
  readonly path: string;
  /** When the screen is visited. If undefined, it is visited while somebody is signed in. */
  readonly stage?: 'nobody yet' | 'nobody signed in';
  /** The changes that a colleague makes before the screen is opened. */
  readonly arrange?: (colleague: Colleague) => Promise<void>;
  /** The steps to take once the screen is open. */
  readonly prepare?: (page: Page, colleague: Colleague) => Promise<void>;
}
