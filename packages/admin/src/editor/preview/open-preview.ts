// Runs the preview of one content object at one address: passes events to the reducer, and carries out the effects that it returns.
// Messages are posted only to the windows of the two pages, with the address's origin as the target, and accepted only from those windows
// and that origin.

import type { DraftValues } from '../draft/draft-values.ts';
import { type PageField, parsePageMessage } from './parse-page-message.ts';
import { isKnownLive, reducePreview, startPreview } from './preview-reducer.ts';
import type {
  PageStatus,
  PanelMessage,
  Place,
  PreviewEffect,
  PreviewEvent,
  PreviewState,
  PreviewTimer,
} from './preview-state.ts';

const TIMER_MS: Readonly<Record<PreviewTimer, number>> = { no_answer: 2_000, silence: 4_000 };
/** The panel is rarely or never painted while another tab is in front of it, such as the one with the preview. */
const PAINT_TIMEOUT_MS = 100;
/** Browsers send no event when another tab is closed. */
const CLOSED_CHECK_MS = 1_000;
/** If a tab with this name is open, it is reused. */
const TAB_NAME = 'galley-preview';

export interface PreviewOptions {
  /** The ID of the content. */
  readonly id: string;
  readonly origin: string;
  readonly brand: string;
  readonly values: DraftValues;
  /** @returns the JSON text of the content object */
  readonly render: (values: DraftValues, marks: boolean) => Promise<string>;
  /** Reads the page's URL again, because its secret may have been replaced. */
  readonly readUrl: () => Promise<string>;
  readonly onEdit: (field: PageField) => void;
}

/** The part of the state that the editor sees. */
export interface ShownPages {
  readonly frame: PageStatus;
  /** Whether the page in the frame shows changes while the editor types. */
  readonly isFrameLive: boolean;
  readonly tab: PageStatus;
}

export type Preview = ReturnType<typeof openPreview>;

export function openPreview({ id, origin, brand, values, render, readUrl, onEdit }: PreviewOptions) {
  const listeners = new Set<() => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let state: PreviewState = startPreview(values);
  let shown = pickShown(state);
  let frame: HTMLIFrameElement | undefined;
  let tab: Window | undefined;
  let closedCheck: ReturnType<typeof setInterval> | undefined;

  function dispatch(event: PreviewEvent): void {
    const step = reducePreview(state, event);
    state = step.state;
    const next = pickShown(state);
    if (next.frame !== shown.frame || next.isFrameLive !== shown.isFrameLive || next.tab !== shown.tab) {
      shown = next;
      for (const listener of listeners) listener();
    }
    for (const effect of step.effects) perform(effect);
  }

  function perform(effect: PreviewEffect): void {
    switch (effect.kind) {
      case 'post':
        windowIn(effect.place)?.postMessage(buildMessage(effect.message), origin);
        break;
      case 'render':
        render(effect.values, effect.marks).then(
          (content) => dispatch({ kind: 'rendered', content }),
          () => dispatch({ kind: 'render_failed' }),
        );
        break;
      case 'ask_frame':
        afterPaint(() => dispatch({ kind: 'animation_frame' }));
        break;
      case 'start_timer':
        stopTimer(effect.timer, effect.place);
        timers.set(
          `${effect.timer} ${effect.place}`,
          setTimeout(() => dispatch({ kind: effect.timer, place: effect.place }), TIMER_MS[effect.timer]),
        );
        break;
      case 'stop_timer':
        stopTimer(effect.timer, effect.place);
        break;
      case 'reload':
        void load(effect.place);
        break;
      case 'edit':
        onEdit({ id: effect.id, path: effect.path });
        break;
    }
  }

  function buildMessage(message: PanelMessage): object {
    switch (message.kind) {
      case 'update':
        return { message: `${brand}-update-content`, content: message.content };
      case 'refresh':
        return { message: `${brand}-refresh-preview` };
      case 'edited':
        return { message: `${brand}-edited-field`, id, path: message.path };
    }
  }

  function windowIn(place: Place): Window | undefined {
    return place === 'tab' ? tab : (frame?.contentWindow ?? undefined);
  }

  function stopTimer(timer: PreviewTimer, place: Place): void {
    clearTimeout(timers.get(`${timer} ${place}`));
  }

  /** @returns false if the URL cannot be read; the page then stays as it is */
  function load(place: Place): Promise<boolean> {
    return readUrl().then(
      (url) => {
        if (state.pages[place].status === 'closed') return true;
        dispatch({ kind: 'open', place });
        if (place === 'tab') tab?.location.replace(url);
        else if (frame !== undefined) frame.src = url;
        return true;
      },
      () => false,
    );
  }

  function receive({ source, origin: sender, data }: MessageEvent): void {
    const place = findPlace(source);
    if (place === undefined) return;
    if (sender !== origin) {
      dispatch({ kind: 'stranger', place });
      return;
    }
    const message = parsePageMessage(data, brand);
    if (message !== undefined) dispatch({ kind: 'said', place, message });
  }

  function findPlace(source: MessageEventSource | null): Place | undefined {
    if (source === null) return undefined;
    if (source === frame?.contentWindow) return 'frame';
    return source === tab ? 'tab' : undefined;
  }

  /** The panel has no other frames, so a blocked frame is always the preview. */
  function noteViolation({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    if (effectiveDirective !== 'frame-src') return;
    const isOwn = URL.canParse(blockedURI) && new URL(blockedURI).origin === origin;
    dispatch({ kind: isOwn ? 'blocked' : 'stranger', place: 'frame' });
  }

  function forgetTab(): void {
    clearInterval(closedCheck);
    tab = undefined;
    dispatch({ kind: 'close', place: 'tab' });
  }

  const arrive = (): void => dispatch({ kind: 'arrived', place: 'frame' });

  return {
    read: (): ShownPages => shown,
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Shows the page in the frame. @returns a function that ends the preview */
    start(element: HTMLIFrameElement, url: string): () => void {
      frame = element;
      window.addEventListener('message', receive);
      document.addEventListener('securitypolicyviolation', noteViolation);
      frame.addEventListener('load', arrive);
      dispatch({ kind: 'open', place: 'frame' });
      frame.src = url;
      return () => {
        window.removeEventListener('message', receive);
        document.removeEventListener('securitypolicyviolation', noteViolation);
        element.removeEventListener('load', arrive);
        frame = undefined;
        dispatch({ kind: 'close', place: 'frame' });
        forgetTab();
        for (const timer of timers.values()) clearTimeout(timer);
      };
    },
    /** Opens the page in a tab, which gets updates too. */
    async openTab(): Promise<'opened' | 'blocked' | 'failed'> {
      clearInterval(closedCheck);
      // Browsers allow new tabs only during the click, so the tab is opened before its URL is read. Without an opener, the page could not
      // send messages to the panel.
      tab = window.open('', TAB_NAME) ?? undefined;
      if (tab === undefined) return 'blocked';
      tab.focus();
      dispatch({ kind: 'open', place: 'tab' });
      closedCheck = setInterval(() => {
        if (tab?.closed !== false) forgetTab();
      }, CLOSED_CHECK_MS);
      if (await load('tab')) return 'opened';
      tab.close();
      forgetTab();
      return 'failed';
    },
    change: (next: DraftValues): void => dispatch({ kind: 'change', values: next }),
    /** Called after each save. */
    refresh: (): void => dispatch({ kind: 'saved' }),
    focus: (path: string | null): void => dispatch({ kind: 'focus', path }),
    reload: (): void => void load('frame'),
  };
}

function pickShown({ pages: { frame, tab } }: PreviewState): ShownPages {
  return { frame: frame.status, isFrameLive: isKnownLive(frame), tab: tab.status };
}

function afterPaint(run: () => void): void {
  let isDone = false;
  const runOnce = (): void => {
    if (isDone) return;
    isDone = true;
    run();
  };
  requestAnimationFrame(runOnce);
  setTimeout(runOnce, PAINT_TIMEOUT_MS);
}
