// The page's side of the preview protocol. Messages in both directions are limited to the panel's window and origin.

import type { Mark } from './mark.ts';
import { type Editing, openEditing } from './open-editing.ts';
import { type PreviewContent, parsePanelMessage } from './parse-panel-message.ts';
import { parseWebAddress } from './parse-web-address.ts';
import { type PreviewOptions, parseBrand } from './preview-options.ts';

/** A connection between the page and the panel. */
export interface PreviewConnection {
  /** Stops updates and editing. Call it when the page no longer shows the content. */
  disconnect(): void;
}

/** A frame that is out of view is rarely or never painted. In that case, `loaded` is sent after this time. */
const PAINT_TIMEOUT_MS = 100;

/** All connections on a page share one overlay, so that each field has one outline and each click is reported once. */
let sharedEditing: Editing | undefined;
let editingConnections = 0;

/**
 * Connects the page to the panel: shows unsaved changes while an editor types, outlines fields, and opens the field that the editor clicks.
 * Does nothing if the page is not in the panel's preview. Call it in the browser, after the page has been rendered.
 *
 * @example
 * const connection = connectPreview({
 *   panelOrigin: 'https://cms.example',
 *   onUpdate: (content) => console.log(content.id),
 * });
 */
export function connectPreview<C extends PreviewContent = PreviewContent>(
  options: PreviewOptions<C>,
): PreviewConnection {
  const { origin } = parseWebAddress('panelOrigin', options.panelOrigin);
  const brand = parseBrand(options.brand);
  const marks = options.marks ?? true;
  const panel = findPanel(options.target);
  if (!panel) return { disconnect() {} };

  const post = (message: unknown) => panel.postMessage(message, origin);
  const stopped = new AbortController();
  const { signal } = stopped;
  const newest: { update?: (() => unknown) | undefined; refresh?: (() => unknown) | undefined } = {};
  const running: { update?: Promise<void>; refresh?: Promise<void> } = {};
  let editing: Editing | undefined;

  function announce(): void {
    post('live-preview-enabled');
    post({ message: `${brand}-live-preview`, marks });
    post('loaded');
  }

  function edit(): Editing | undefined {
    if (marks) {
      editing ??= startEditing(({ id, path, language }) =>
        post({ message: `${brand}-edit-field`, id, path, language }),
      );
    }
    return editing;
  }

  /** Runs a step after the previous one of its kind, unless a newer one has arrived in the meantime. */
  function show(kind: 'update' | 'refresh', step: (() => unknown) | undefined): void {
    newest[kind] = step;
    running[kind] = (async () => {
      await running[kind];
      if (newest[kind] !== step || signal.aborted) return;
      try {
        await step?.();
        await nextPaint();
        if (!signal.aborted) post('loaded');
      } catch (error) {
        reportError(error);
      }
    })();
  }

  /** Updates that arrive while the page reads the saved content are newer, so the last one is shown again afterwards. */
  async function refresh(): Promise<void> {
    const { update } = newest;
    if (options.onRefresh) await options.onRefresh();
    else if (!options.onUpdate) location.reload();
    if (newest.update !== update) show('update', newest.update);
  }

  function receive(event: MessageEvent): void {
    if (event.source !== panel || event.origin !== origin) return;
    const message = parsePanelMessage<C>(event.data, brand);
    if (!message) return;
    const current = edit();
    if (message.kind === 'edited') current?.setEdited(message.id, message.path);
    if (message.kind === 'refresh') show('refresh', () => refresh());
    if (message.kind !== 'update') return;
    // Without an answer, the panel could not tell whether a page that was opened with a link has the library.
    if ((options.contentId ?? message.content.id) !== message.content.id) post('loaded');
    else show('update', () => options.onUpdate?.(message.content));
  }

  addEventListener('message', receive, { signal });
  // A page that the browser restores from its history is not loaded again, so it has to announce itself here.
  addEventListener('pageshow', ({ persisted }) => persisted && announce(), { signal });
  announce();
  // Any page could contain this page, or could have opened its tab. So fields cannot be edited until the panel has sent a message, unless
  // the browser says that the panel contains the page. Not all browsers have `ancestorOrigins`, and some omit the panel's origin from it,
  // because the panel's frame sends no referrer.
  if (panel === window.parent && location.ancestorOrigins?.[0] === origin) edit();
  return {
    disconnect() {
      stopped.abort();
      editing?.close();
      editing = undefined;
    },
  };
}

/**
 * The window that may be the panel: the one that contains the page, or the one that opened it. Only its messages prove that it is the
 * panel. Undefined if there is no such window.
 */
function findPanel(target?: 'parent' | 'opener'): Window | undefined {
  if (target !== 'opener' && window.parent !== window) return window.parent;
  return target === 'parent' ? undefined : (window.opener ?? undefined);
}

/** @param onEdit called with the field that the editor clicked. If editing has already started, only the earlier function is called. */
function startEditing(onEdit: (mark: Mark) => void): Editing {
  sharedEditing ??= openEditing(onEdit);
  const editing = sharedEditing;
  editingConnections++;
  return {
    setEdited: editing.setEdited,
    close() {
      editingConnections--;
      if (editingConnections > 0) return;
      sharedEditing = undefined;
      editing.close();
    },
  };
}

function nextPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, PAINT_TIMEOUT_MS);
  });
}
