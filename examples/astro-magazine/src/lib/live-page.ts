// Runs in the browser, in draft mode only. The server renders what the editor types, and the page applies the differences.

import { connectPreview, type PreviewContent, showToolbar } from '@galley/preview';
import { buildPath } from './build-path.ts';

interface LivePage {
  readonly contentId: string;
  readonly authorUri: string | undefined;
  readonly panelUrl: string;
  readonly siteId: string;
  readonly brand: string;
}

interface LocatedContent extends PreviewContent {
  readonly uri: string;
}

const RENDER_PATH = '/api/draft/render';

export function startLivePage({ contentId, authorUri, panelUrl, siteId, brand }: LivePage): void {
  let path = location.pathname;
  connectPreview<LocatedContent>({
    panelOrigin: panelUrl,
    brand,
    contentId,
    async onUpdate(content) {
      path = buildPath(content.uri);
      const headers = { 'Content-Type': 'application/json' };
      await show(await fetch(RENDER_PATH, { method: 'POST', headers, body: JSON.stringify({ content, authorUri }) }));
    },
    async onRefresh() {
      // After a new slug is saved, the page has a different path.
      if (path === location.pathname) await show(await fetch(location.href));
      else location.replace(path);
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
