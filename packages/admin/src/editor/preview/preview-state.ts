// Types for a preview: the pages that show the content, the events that change their state, and the resulting effects.

import type { DraftValues } from '../draft/draft-values.ts';
import type { PageField, PageMessage } from './parse-page-message.ts';

/** Where a page is: in the frame beside the form, or in a tab of its own. */
export type Place = 'frame' | 'tab';

export const PLACES: readonly Place[] = ['frame', 'tab'];

/**
 * `silent`: a page was loaded, but has not sent a message. `left`: the page's origin is not the configured one, so the page gets no
 * messages. `blocked`: the panel's own policy blocked the page, because the panel was loaded before the address was configured.
 */
export type PageStatus = 'closed' | 'loading' | 'connected' | 'silent' | 'left' | 'blocked';

export interface PageState {
  readonly status: PageStatus;
  /** Whether the page has announced that it shows updates. Other pages are reloaded after a save. */
  readonly isLive: boolean;
  /** Whether the page's library asked for marks. */
  readonly hasMarks: boolean;
  /** How many pages have been loaded since the panel opened one, including that page. Links opened the others. */
  readonly arrivals: number;
  /** Whether a message has arrived since the last load event. Pages can send messages before their load event. */
  readonly hasSpoken: boolean;
  /** Whether one of these messages announced that the page shows updates. */
  readonly hasAnnounced: boolean;
  /** Whether the page still has to respond to a refresh message. */
  readonly isAsked: boolean;
  /** Whether the content was saved while the page was loading. If so, the page may show an older version. */
  readonly isBehind: boolean;
  /** The revision in the last update that was posted; 0 if the page has not been sent one. */
  readonly shown: number;
  /** How many times the page has asked for the same update. */
  readonly greetings: number;
}

/** The service's response for one revision of the form's values. */
interface Rendering {
  readonly revision: number;
  /** The JSON text of the content object. */
  readonly content: string;
}

/** Content is rendered separately with and without marks. */
export type Variant = 'plain' | 'marked';

export const VARIANTS: readonly Variant[] = ['plain', 'marked'];

export interface PreviewState {
  readonly pages: Readonly<Record<Place, PageState>>;
  readonly values: DraftValues;
  /** Incremented each time the values change. */
  readonly revision: number;
  readonly renderings: Readonly<Record<Variant, Rendering | undefined>>;
  /** The revision of the last request for each variant, so that a failed request is not repeated until something changes. */
  readonly tried: Readonly<Record<Variant, number>>;
  /** The request in flight, if any. There is at most one. */
  readonly request: { readonly revision: number; readonly variant: Variant } | undefined;
  /** Whether the browser has been asked for an animation frame, because an update was posted. The next update waits for the frame. */
  readonly isFrameAsked: boolean;
  /** The path of the focused field. */
  readonly edited: string | null;
}

export interface PreviewEvents {
  /** A page is being loaded, for the first time or again. */
  readonly open: { readonly place: Place };
  readonly close: { readonly place: Place };
  readonly change: { readonly values: DraftValues };
  readonly saved: object;
  readonly focus: { readonly path: string | null };
  /** The page in that place, with the configured origin, posted a message. */
  readonly said: { readonly place: Place; readonly message: PageMessage };
  /** A page with another origin is in that place. */
  readonly stranger: { readonly place: Place };
  /** The panel's policy blocked the page. */
  readonly blocked: { readonly place: Place };
  /** The frame's load event. There is none for tabs on other sites. */
  readonly arrived: { readonly place: Place };
  /** The page did not respond to a refresh message in time. */
  readonly no_answer: { readonly place: Place };
  /** The page sent no message after it was loaded. */
  readonly silence: { readonly place: Place };
  readonly rendered: { readonly content: string };
  readonly render_failed: object;
  readonly animation_frame: object;
}

export type PreviewEvent<Kind extends keyof PreviewEvents = keyof PreviewEvents> = {
  [Each in Kind]: { readonly kind: Each } & PreviewEvents[Each];
}[Kind];

export type PanelMessage =
  | { readonly kind: 'update'; readonly content: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'edited'; readonly path: string | null };

/** Each timer is named after the event that it causes. */
export type PreviewTimer = 'no_answer' | 'silence';

export type PreviewEffect =
  | { readonly kind: 'post'; readonly place: Place; readonly message: PanelMessage }
  | { readonly kind: 'render'; readonly values: DraftValues; readonly marks: boolean }
  | { readonly kind: 'ask_frame' }
  | { readonly kind: 'start_timer'; readonly timer: PreviewTimer; readonly place: Place }
  | { readonly kind: 'stop_timer'; readonly timer: PreviewTimer; readonly place: Place }
  | { readonly kind: 'reload'; readonly place: Place }
  | ({ readonly kind: 'edit' } & PageField);
