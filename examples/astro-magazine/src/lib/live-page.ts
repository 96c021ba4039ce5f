// Runs in the browser, in draft mode only. The server renders what the editor types, and the page applies the differences.

import { connectPreview, type PreviewContent, showToolbar } from '@galley/preview';
import { buildPath } from './build-path.ts';
import type { AuthorUris } from './content.ts';

interface LivePage {
  readonly contentId: string;
  readonly authorUris: AuthorUris;
  readonly panelUrl: string;
  readonly siteId: string;
  readonly brand: string;
}

interface LocatedContent extends PreviewContent {
  readonly uri: string;
}

const RENDER_PATH = '/api/draft/render';

export function startLivePage({ contentId, authorUris, panelUrl, siteId, brand }: LivePage): void {
  let path = location.pathname;
  let updates = 0;
  connectPreview<LocatedContent>({
    panelOrigin: panelUrl,
    brand,
    contentId,
    async onUpdate(content) {
      updates++;
      path = buildPath(content.uri);
      const headers = { 'Content-Type': 'application/json' };
      await show(await fetch(RENDER_PATH, { method: 'POST', headers, body: JSON.stringify({ content, authorUris }) }));
    },
    async onRefresh() {
      // After a new slug is saved, the page has a different path.
      if (path !== location.pathname) return location.replace(path);
      const before = updates;
      const response = await fetch(location.href);
      // Anything that the editor has typed in the meantime is newer than this response.
      if (updates === before) await show(response);
    },
  });
  showToolbar({ panelUrl, siteId, contentId, leaveUrl: '/api/draft/leave' });
}

async function show(response: Response): Promise<void> {
  // Draft mode has ended, or the content has been deleted.
  if (!response.ok || response.redirected) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const [shown, wanted] = [document, page].map((each) => each.querySelector('main > article'));
  if (shown && wanted) adopt(shown, wanted);
}

/** Makes one element match another. Identical parts are left alone, so that pictures do not flicker. */
function adopt(shown: Element, wanted: Element): void {
  for (const { name } of [...shown.attributes]) if (!wanted.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of wanted.attributes) {
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  const before = [...shown.childNodes];
  const after = [...wanted.childNodes];
  for (const [index, node] of after.entries()) {
    const current = before[index];
    if (current === undefined) shown.append(node);
    else if (current instanceof Element && node instanceof Element && current.tagName === node.tagName)
      adopt(current, node);
    else if (!current.isEqualNode(node)) current.replaceWith(node);
  }
  for (const node of before.slice(after.length)) node.remove();
}
