// Outlines and the edit button, in a shadow root above the page. They do not change the page's layout, and only the button receives clicks.
// Constructed style sheets and CSSOM need no exception in a content security policy.

import type { EditTarget } from './find-targets.ts';
import { openShadow } from './open-shadow.ts';

export interface Overlay {
  readonly button: HTMLButtonElement;
  /** Whether an event came from the overlay. */
  contains(event: Event): boolean;
  /** Shows the outline and the button for one target, or hides them. */
  setHovered(target: EditTarget | undefined): void;
  /** Outlines the field that is being edited in the panel. */
  setEdited(targets: readonly EditTarget[]): void;
  /** Puts the overlay back if the page has removed it. */
  attach(): void;
  close(): void;
}

const STYLES = `
:host{inset:0!important;pointer-events:none!important;overflow:clip!important}
div,button{position:absolute;left:0;top:0;box-sizing:border-box;border:2px solid #2563eb;border-radius:4px}
.edited{border-width:3px}
button{height:24px;padding:0 8px;background:#2563eb;color:#fff;font:12px system-ui;white-space:nowrap;pointer-events:auto}
button:not(.shown,:focus){opacity:0;pointer-events:none}`;

const BUTTON_HEIGHT = 24;
/** The space between a target and the outer edge of its outline. */
const GAP = 6;

export function openOverlay(): Overlay {
  const { host, root, attach } = openShadow(STYLES);
  const hover = document.createElement('div');
  const button = document.createElement('button');
  button.type = 'button';
  root.append(hover, button);
  let hovered: EditTarget | undefined;
  let edited: readonly (readonly [EditTarget, HTMLElement])[] = [];
  let frame = 0;

  /** Runs in each frame while an outline is shown, because scrolling, resizing and animations all move targets. */
  function draw(): void {
    frame = hovered !== undefined || edited.length > 0 ? requestAnimationFrame(draw) : 0;
    // Reading all positions before writing any avoids repeated layout.
    const boxes = edited.map(([{ place }]) => place.getBoundingClientRect());
    const box = hovered?.place.getBoundingClientRect();
    const width = button.offsetWidth;
    for (const [index, [, outline]] of edited.entries()) drawBox(outline, boxes[index]);
    drawBox(hover, box);
    button.classList.toggle('shown', isVisible(box));
    if (box === undefined) return;
    const left = clamp(box.right + GAP - width, innerWidth - width);
    const top = clamp(box.top - GAP - BUTTON_HEIGHT, innerHeight - BUTTON_HEIGHT);
    button.style.transform = `translate(${left}px, ${top}px)`;
  }

  function redraw(): void {
    cancelAnimationFrame(frame);
    draw();
  }

  attach();
  draw();
  return {
    button,
    contains: (event) => event.composedPath().includes(host),
    attach,
    setHovered(target) {
      hovered = target;
      button.textContent = `Edit ${target === undefined ? 'fields' : nameField(target.mark.path)}`;
      redraw();
    },
    setEdited(targets) {
      for (const [, outline] of edited) outline.remove();
      edited = targets.map((target) => {
        const outline = document.createElement('div');
        outline.className = 'edited';
        root.prepend(outline);
        return [target, outline];
      });
      redraw();
    },
    close() {
      cancelAnimationFrame(frame);
      host.remove();
    },
  };
}

function clamp(value: number, most: number): number {
  return Math.max(Math.min(value, most), 0);
}

function isVisible(box: DOMRect | undefined): box is DOMRect {
  return box !== undefined && box.width + box.height > 0;
}

function drawBox({ style }: HTMLElement, box: DOMRect | undefined): void {
  style.display = isVisible(box) ? 'block' : 'none';
  if (box === undefined) return;
  style.transform = `translate(${box.left - GAP}px, ${box.top - GAP}px)`;
  style.width = `${box.width + 2 * GAP}px`;
  style.height = `${box.height + 2 * GAP}px`;
}

/** The last handle in a path: `text` for `fields.body.blocks[0].fields.text`, `tags` for `fields.tags.list[2]`. */
function nameField(path: string): string {
  const names = path.match(/\w+(?!\])/g)?.filter((name) => name !== 'list');
  return names?.at(-1)?.replaceAll('_', ' ') ?? path;
}
