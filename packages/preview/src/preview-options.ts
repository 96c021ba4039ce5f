import type { PreviewContent } from './parse-panel-message.ts';

/** Options for `connectPreview`. */
export interface PreviewOptions<C extends PreviewContent = PreviewContent> {
  /** The panel's address, such as `https://cms.example` or `https://cms.example/admin`. The page communicates only with this origin. */
  readonly panelOrigin: string;
  /** The header prefix of your installation without `X-`, in lower case. `service` by default. */
  readonly brand?: string | undefined;
  /** Whether updates contain marks, and whether fields on the page can be clicked. True by default. */
  readonly marks?: boolean | undefined;
  /** The ID of the content that the page shows. Updates for other content are not shown. */
  readonly contentId?: string | undefined;
  /**
   * Shows unsaved content. It receives the object that the delivery API would return if the form were saved. If it returns a promise, the
   * next update waits for that promise; if several updates are waiting, only the last is shown.
   */
  onUpdate?(content: C): unknown;
  /**
   * Reads the content again after a save. If it returns a promise, the page counts as loaded once the promise is fulfilled. Updates that
   * arrive in the meantime are shown at once, and again afterwards. By default, a page without `onUpdate` is reloaded, and a page with
   * `onUpdate` keeps the last update.
   */
  onRefresh?(): unknown;
  /** Which window is the panel: the parent of the page, or its opener. By default, `parent` in a frame and `opener` in a tab. */
  readonly target?: 'parent' | 'opener' | undefined;
}

export function parseBrand(brand = 'service'): string {
  if (/^(?!x-)[a-z0-9][a-z0-9-]*$/.test(brand)) return brand;
  throw new TypeError(`brand must be the header prefix without X-, in lower case, such as acme, got "${brand}".`);
}
