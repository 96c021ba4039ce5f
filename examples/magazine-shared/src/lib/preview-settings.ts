import { readHeaderPrefix } from './header-prefix.ts';
import { readVariable } from './read-variable.ts';

/** The settings that a page in draft mode needs in order to communicate with the panel. */
export interface PreviewSettings {
  readonly panelUrl: string;
  readonly siteId: string;
  /** The prefix of the messages between the page and the panel. */
  readonly brand: string;
}

/** Returns undefined if the panel's address is not set. Pages then show drafts, but no live updates. */
export function readPreviewSettings(): PreviewSettings | undefined {
  const panelUrl = readVariable('GALLEY_PANEL_URL');
  const siteId = readVariable('GALLEY_SITE_ID');
  const brand = readHeaderPrefix().toLowerCase().replace(/^x-/, '');
  return panelUrl && siteId ? { panelUrl, siteId, brand } : undefined;
}

/** The content security policy of every page: only the panel may show the site in a frame. */
export function buildFramePolicy(): string {
  const panelUrl = readVariable('GALLEY_PANEL_URL');
  return `frame-ancestors 'self'${panelUrl ? ` ${new URL(panelUrl).origin}` : ''}`;
}
