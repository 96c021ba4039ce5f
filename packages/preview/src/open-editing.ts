// Maps clicks on the page to the fields to edit, and keeps the outlines up to date while the page changes.

import { EDIT_ATTRIBUTE } from './edit-attributes.ts';
import {
  type EditTarget,
  findTargetAt,
  findTargets,
  isSameTarget,
  selectTargets,
  TEXT_ATTRIBUTES,
} from './find-targets.ts';
import { encodeField, hasMark, type Mark } from './mark.ts';
import { openOverlay } from './open-overlay.ts';
import { removeMarks } from './remove-marks.ts';

export interface Editing {
  /** Outlines the field that is being edited in the panel. If the path is null, removes the outline. */
  setEdited(id: string, path: string | null): void;
  close(): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
/** On a page with 5,000 marks, finding the edited field takes several milliseconds, which is too long to do in every frame. */
const UPDATE_MS = 100;
/** Clicks on these elements work as usual. */
const CONTROLS = 'input, select, textarea, [contenteditable]';

/** @param onEdit called with the field that the editor clicked */
export function openEditing(onEdit: (mark: Mark) => void): Editing {
  const overlay = openOverlay();
  const closed = new AbortController();
  const capture = { signal: closed.signal, capture: true };
  let hovered: EditTarget | undefined;
  let pointed: EventTarget | undefined;
  let edited: Mark | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hover(target: EditTarget | undefined): void {
    hovered = target;
    pointed = undefined;
    overlay.setHovered(target);
  }

  function outlineEdited(): readonly EditTarget[] {
    const targets = edited === undefined ? [] : selectTargets(findTargets(encodeField(edited.id, edited.path)), edited);
    // One outline around the whole text is enough; its paragraphs do not need their own.
    const outer = targets.filter(
      (target) => !targets.some(({ place }) => place !== target.place && contains(place, target)),
    );
    overlay.setEdited(outer);
    return outer;
  }

  /** Runs once for all changes within `UPDATE_MS`. In each frame, outlines follow the elements that are still on the page. */
  function update(): void {
    timer = undefined;
    overlay.attach();
    // Marks in a title would be useless, because nobody can click it, and bookmarks and the history would keep them.
    if (hasMark(document.title)) document.title = removeMarks(document.title);
    if (edited !== undefined) outlineEdited();
    if (hovered !== undefined && !elementOf(hovered)?.isConnected) hover(undefined);
  }

  function click(event: MouseEvent): void {
    // With the keyboard, links work as usual, and the edit button opens fields. Clicks from scripts are ignored.
    if (!event.isTrusted || event.detail === 0 || overlay.contains(event)) return;
    const [element] = event.composedPath();
    // A selection means that the editor is copying text.
    if (!(element instanceof Element) || element.closest(CONTROLS) || getSelection()?.isCollapsed === false) return;
    const target = findTargetAt(element, event.clientX, event.clientY);
    if (target === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // This click has no modifier, so links open in the preview instead of in a tab that may not be in draft mode.
    if (event.ctrlKey || event.metaKey) element.dispatchEvent(new MouseEvent('click', CLICK));
    else onEdit(target.mark);
  }

  function point(event: MouseEvent): void {
    const [element] = event.composedPath();
    // Most moves stay within one element. The exact position matters only if the target is a range.
    if (overlay.contains(event) || (element === pointed && !(hovered?.place instanceof Range))) return;
    hover(element instanceof Element ? findTargetAt(element, event.clientX, event.clientY) : undefined);
    pointed = element;
  }

  function focus(event: FocusEvent): void {
    const [element] = event.composedPath();
    if (!(element instanceof Element)) return;
    const { left, top } = element.getBoundingClientRect();
    if (!overlay.contains(event)) hover(findTargetAt(element, left, top));
    else if (hovered === undefined) step(0);
  }

  /** Moves the edit button to the next or previous target. If there is no current target, moves it to the first one in view. */
  function step(by: number): void {
    const targets = findTargets().filter(({ place }) => place.getClientRects().length > 0);
    const current = targets.findIndex((target) => isSameTarget(target, hovered));
    const first = targets.findIndex(({ place }) => place.getBoundingClientRect().bottom > 0);
    const target = targets.at(current < 0 ? first : (current + by) % targets.length);
    if (target === undefined) return;
    reveal(target);
    hover(target);
  }

  function press(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  }

  const observer = new MutationObserver(() => {
    timer ??= setTimeout(update, UPDATE_MS);
  });
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: [EDIT_ATTRIBUTE, ...TEXT_ATTRIBUTES],
  });
  addEventListener('click', click, capture);
  addEventListener('mousemove', point, capture);
  addEventListener('focusin', focus, capture);
  document.documentElement.addEventListener('mouseleave', () => hover(undefined), { signal: closed.signal });
  overlay.button.addEventListener('click', () => hovered !== undefined && onEdit(hovered.mark));
  overlay.button.addEventListener('keydown', press);
  update();

  return {
    setEdited(id, path) {
      const isSame = edited?.id === id && edited.path === path;
      edited = path === null ? undefined : { id, path };
      const [first] = outlineEdited();
      if (first !== undefined && !isSame) reveal(first);
    },
    close() {
      closed.abort();
      observer.disconnect();
      clearTimeout(timer);
      overlay.close();
    },
  };
}

const CLICK = { bubbles: true, cancelable: true, composed: true } as const;

/** Scrolls only if the target is out of view. */
function reveal(target: EditTarget): void {
  const { top, bottom } = target.place.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) elementOf(target)?.scrollIntoView({ block: 'center' });
}

function contains(place: Element | Range, target: EditTarget): boolean {
  return place instanceof Element && place.contains(elementOf(target));
}

function elementOf({ place }: EditTarget): Element | null {
  return place instanceof Range ? place.startContainer.parentElement : place;
}
