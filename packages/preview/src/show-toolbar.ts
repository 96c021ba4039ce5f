import { openShadow } from './open-shadow.ts';
import { parseWebAddress } from './parse-web-address.ts';

/** Options for `showToolbar`. */
export interface ToolbarOptions {
  /** The panel's address, such as `https://cms.example` or `https://cms.example/admin`. */
  readonly panelUrl: string;
  /** The ID of the site. */
  readonly siteId: string;
  /** The ID of the content that the page shows. */
  readonly contentId: string;
  /** The address that ends draft mode, such as `/api/draft/leave`. */
  readonly leaveUrl: string;
}

/** A toolbar on the page. */
export interface Toolbar {
  /** Removes the toolbar from the page. */
  remove(): void;
}

const STYLES = `
:host{right:16px!important;bottom:16px!important}
nav{display:flex;gap:16px;padding:8px 16px;border-radius:4px;background:#111827;color:#fff;font:14px/1.5 system-ui}
a{color:inherit}`;

/**
 * Shows a toolbar with *Edit* and *Leave preview* on a page in draft mode. Shows nothing in the panel's frame, which has its own buttons.
 *
 * @example
 * showToolbar({ panelUrl: 'https://cms.example', siteId: 's_demo', contentId: article.id, leaveUrl: '/api/draft/leave' });
 */
export function showToolbar({ panelUrl, siteId, contentId, leaveUrl }: ToolbarOptions): Toolbar {
  const links = [
    ['Edit', buildEditUrl(panelUrl, siteId, contentId)],
    ['Leave preview', parseWebAddress('leaveUrl', leaveUrl, location.href).href],
  ] as const;
  if (window.parent !== window) return { remove() {} };
  const { host, root, attach } = openShadow(STYLES);
  const nav = document.createElement('nav');
  nav.ariaLabel = 'Preview';
  nav.append('Preview');
  for (const [text, href] of links) {
    const link = document.createElement('a');
    link.textContent = text;
    link.href = href;
    nav.append(link);
  }
  root.append(nav);
  attach();
  return { remove: () => host.remove() };
}

function buildEditUrl(panelUrl: string, siteId: string, contentId: string): string {
  const { origin, pathname } = parseWebAddress('panelUrl', panelUrl);
  // The panel may have its own path behind a proxy.
  const path = pathname.replace(/(\/admin)?\/*$/, '/admin');
  return `${origin}${path}/sites/${encodeURIComponent(siteId)}/content/${encodeURIComponent(contentId)}`;
}
