// Finds the place for a mark in text, so that the mark is part of what the page shows: in HTML, inside the last element with text; in
// Markdown, where it does not change the meaning of the syntax around it.

import type { FieldSettings } from './field.ts';

/** A URL, a path, an anchor, an email address or a date. Programs read such text, and a mark would break it. */
const MACHINE_TEXT = /^(?:[a-z][a-z0-9+.-]*:\S*|[/#?]\S*|\S+@\S+|\d{4}-\d\d-\d\d(?:T\S*)?)$/i;
const LONGEST_MACHINE_TEXT = 2048;

/** @returns the index at which the mark belongs; undefined if the text must not have one */
export function placeMark(text: string, format: FieldSettings['format']): number | undefined {
  const isShort = text.length <= LONGEST_MACHINE_TEXT;
  if (text.trim() === '' || (isShort && MACHINE_TEXT.test(text.trim()))) return undefined;
  if (format === 'html') return placeInHtml(text);
  return format === 'markdown' ? placeInMarkdown(text) : text.length;
}

const TAG_START = /[a-z/!?]/i;
/** Elements whose text is not shown. Imported HTML may contain them. */
const UNSHOWN = /^<(script|style|textarea|title|iframe|noscript|template)\b/i;
const LONGEST_UNSHOWN = '<textarea>'.length;

/** Returns the index after the last character that is neither whitespace nor part of a tag. */
function placeInHtml(html: string): number {
  let end = 0;
  let at = 0;
  while (at < html.length) {
    const character = html.charAt(at);
    if (character === '<' && TAG_START.test(html.charAt(at + 1))) {
      const [, unshown] = UNSHOWN.exec(html.slice(at, at + LONGEST_UNSHOWN)) ?? [];
      at = findTagEnd(html, unshown === undefined ? at : findClosingTag(html, at, unshown));
      continue;
    }
    at += 1;
    if (character.trim() !== '') end = at;
  }
  return end === 0 ? html.length : end;
}

/** @returns the index of the closing tag, or of the end if there is none */
function findClosingTag(html: string, start: number, name: string): number {
  const found = html.slice(start).search(new RegExp(`</${name}`, 'i'));
  return found === -1 ? html.length : start + found;
}

/** @returns the index after the tag or comment */
function findTagEnd(html: string, start: number): number {
  const isComment = html.startsWith('<!--', start);
  let quote = '';
  for (let at = start + 1; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (isComment ? html.startsWith('-->', at - 2) : character === '>' && quote === '') return at + 1;
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
  }
  return html.length;
}

/** Horizontal rules, code fences, and the lines under headings and table headers. */
const ONLY_SYMBOLS = /^[\s\-=_*`~|:+>#]*$/;
const LINK_DEFINITION = /^ {0,3}\[[^\]]*\]:/;
/** These symbols still close formatting if a mark comes before them. Some of them do not if a mark comes after them. */
const CLOSING = '*_~| \t';
/** Words that Markdown turns into links. */
const LINKED_WORD = /^(?:https?:\/\/|www\.)|@/i;

/** Returns a place in the last line that has one; undefined if no line does. */
function placeInMarkdown(markdown: string): number | undefined {
  let end = markdown.trimEnd().length;
  while (end > 0) {
    const start = markdown.lastIndexOf('\n', end - 1) + 1;
    const line = markdown.slice(start, end);
    const place = LINK_DEFINITION.test(line) ? 0 : placeInLine(line);
    if (place > 0) return start + place;
    end = markdown.slice(0, start).trimEnd().length;
  }
  return undefined;
}

/** @returns 0 if the line has no place for a mark */
function placeInLine(line: string): number {
  if (ONLY_SYMBOLS.test(line)) return 0;
  const closing = line.startsWith('#') ? `${CLOSING}#` : CLOSING;
  let end = line.length;
  for (;;) {
    while (end > 0 && closing.includes(line.charAt(end - 1))) end -= 1;
    let start = end;
    while (start > 0 && line.charAt(start - 1).trim() !== '') start -= 1;
    if (!LINKED_WORD.test(line.slice(start, end))) break;
    end = start;
  }
  // An escaped symbol is text.
  return line.charAt(end - 1) === '\\' ? Math.min(end + 1, line.length) : end;
}
