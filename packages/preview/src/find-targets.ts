// Finds the parts of the page that show a field. An attribute applies to its element. A mark in text applies to the block around the text,
// such as a paragraph; if a block has several marks, each applies only to its own text.

import { EDIT_ATTRIBUTE, parseEditAttribute } from './edit-attributes.ts';
import { decodeMark, findMarks, hasMark, type Mark } from './mark.ts';
import { START } from './remove-marks.ts';

/** A part of the page and the field that it shows. */
export interface EditTarget {
  readonly mark: Mark;
  readonly place: Element | Range;
}

/** The attributes whose text people see or hear. */
export const TEXT_ATTRIBUTES = ['alt', 'title', 'aria-label'] as const;
/** The text in these elements is not shown. Frameworks keep whole content objects in scripts. */
const WITHOUT_TEXT = /^(SCRIPT|STYLE|NOSCRIPT)$/i;

/**
 * The target around an element. If an outer element has an attribute for the same field, such as the element around all the paragraphs of
 * an article, that element is the target.
 * @param x the pointer's position in the window, which selects one of several marked passages in a block
 */
export function findTargetAt(start: Element, x: number, y: number): EditTarget | undefined {
  let target: EditTarget | undefined;
  let isInBlock = true;
  for (let element: Element | null = start; element !== null; element = parentOf(element)) {
    const mark = readAttributes(element);
    if (mark !== undefined && (target === undefined || isSameField(mark, target.mark))) {
      target = { mark, place: element };
    } else if (isInBlock && !isInline(element)) {
      isInBlock = false;
      target ??= nearest(findTextTargets(element), x, y);
    }
  }
  return target;
}

/**
 * The targets on the page, in document order.
 * @param starts possible beginnings of a mark; text whose marks begin differently is not found
 */
export function findTargets(starts: readonly string[] = [START]): readonly EditTarget[] {
  const targets: EditTarget[] = [];
  const blocks = new Set<Element | null>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Element) {
      const mark = readAttributes(node);
      if (mark !== undefined) targets.push({ mark, place: node });
    } else if (hasMark(node.nodeValue ?? '', starts)) {
      const block = blockOf(node);
      if (block !== null && !blocks.has(block)) targets.push(...findTextTargets(block));
      blocks.add(block);
    }
  }
  return targets;
}

/** The field's own targets. If there are none, the targets of its parts or, failing that, those of the fields around it. */
export function selectTargets(targets: readonly EditTarget[], { id, path }: Mark): readonly EditTarget[] {
  const own = targets.filter(({ mark }) => mark.id === id);
  const exact = own.filter(({ mark }) => mark.path === path);
  if (exact.length > 0) return exact;
  const parts = own.filter(({ mark }) => isPart(mark.path, path));
  return parts.length > 0 ? parts : own.filter(({ mark }) => isPart(path, mark.path));
}

function readAttributes(element: Element): Mark | undefined {
  if (!element.hasAttributes()) return undefined;
  return (
    parseEditAttribute(element.getAttribute(EDIT_ATTRIBUTE)) ??
    decodeMark(TEXT_ATTRIBUTES.map((name) => element.getAttribute(name)).join(''))
  );
}

function findTextTargets(block: Element): readonly EditTarget[] {
  if (WITHOUT_TEXT.test(block.nodeName)) return [];
  const targets = listTexts(block).flatMap((text) => {
    let from = 0;
    return findMarks(text.data).map(({ mark, start, end }) => {
      const place = document.createRange();
      place.setStart(text, from);
      place.setEnd(text, start);
      from = end;
      return { mark, place };
    });
  });
  return targets.length === 1 ? targets.map(({ mark }) => ({ mark, place: block })) : targets;
}

/** The text nodes with marks in a block, except those in nested blocks. */
function listTexts(element: Element): readonly Text[] {
  return [...element.childNodes].flatMap((node) => {
    if (!hasMark(node.textContent ?? '')) return [];
    if (node instanceof Text) return [node];
    return node instanceof Element && isInline(node) && readAttributes(node) === undefined ? listTexts(node) : [];
  });
}

function blockOf(node: Node): Element | null {
  let block = parentOf(node);
  while (block !== null && isInline(block) && readAttributes(block) === undefined) block = parentOf(block);
  return block;
}

function isInline(element: Element): boolean {
  return /^(inline|contents)$/.test(getComputedStyle(element).display);
}

function parentOf(node: Node): Element | null {
  const parent = node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : node.parentElement;
}

function nearest(targets: readonly EditTarget[], x: number, y: number): EditTarget | undefined {
  if (targets.length < 2) return targets[0];
  const distances = targets.map(({ place }) =>
    Math.min(...[...place.getClientRects()].map((box) => distance(box, x, y))),
  );
  return targets[distances.indexOf(Math.min(...distances))];
}

function distance({ left, right, top, bottom }: DOMRect, x: number, y: number): number {
  return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
}

export function isSameTarget(one: EditTarget, other: EditTarget | undefined): boolean {
  if (other === undefined || !isSameField(one.mark, other.mark)) return false;
  if (!(one.place instanceof Range && other.place instanceof Range)) return one.place === other.place;
  return one.place.startContainer === other.place.startContainer && one.place.startOffset === other.place.startOffset;
}

function isSameField(one: Mark, other: Mark): boolean {
  return one.id === other.id && one.path === other.path;
}

function isPart(path: string, whole: string): boolean {
  return path.startsWith(whole) && /^[.[]/.test(path.slice(whole.length));
}
