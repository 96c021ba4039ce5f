// Parses JSON for bundles and the management API. Rejects duplicate names, deep nesting, and text that a database would reject.
// `JSON.parse` accepts all of these silently, so we check the text itself, string by string. Also removes preview marks (marks.ts), so that
// text copied from a preview is saved without them.

import { showGiven } from './fault.ts';
import { mayHaveMarks, removeMarksDeep } from './marks.ts';
import { fail, ok, type Result } from './result.ts';
import { isPlainText, PLAIN_TEXT_RULE } from './text-rules.ts';

/** Real records are never nested this deeply, and recursive code can handle this depth. */
const MAX_NESTING = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACES: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);

export function parseStrictJson(text: string): Result<unknown, string> {
  // Text decoded from UTF-8 is well-formed, so only escapes can introduce lone surrogates.
  if (!text.isWellFormed()) return fail('contains a lone surrogate');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`is not valid JSON: ${describeSyntaxError(error)}`);
  }
  const problem = findTextProblem(text);
  if (problem !== undefined) return fail(problem);
  return ok(mayHaveMarks(text) ? removeMarksDeep(value) : value);
}

function describeSyntaxError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The message quotes the text. A control character in the text would garble the terminal.
  return message.replaceAll(/[\p{Cc}\p{Cs}]/gu, '�');
}

/** @param text valid JSON */
function findTextProblem(text: string): string | undefined {
  /** The names seen so far in each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  const hasUnicodeEscape = text.includes('\\u');
  const marks = /["{}[\]]/g;
  while (marks.test(text)) {
    const start = marks.lastIndex - 1;
    const mark = text.charAt(start);
    if (mark === '"') {
      const end = findStringEnd(text, start);
      marks.lastIndex = end;
      const members = isFollowedByColon(text, end) ? open.at(-1) : undefined;
      // Most strings are values. They need no check if the text has no Unicode escapes.
      if (members === undefined && !hasUnicodeEscape) continue;
      const problem = findStringProblem(text.slice(start, end), members);
      if (problem !== undefined) return problem;
    } else if (mark === '{' || mark === '[') {
      if (open.length === MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
      open.push(mark === '{' ? new Set() : undefined);
    } else {
      open.pop();
    }
  }
  return undefined;
}

/** @returns the position after the closing quote */
function findStringEnd(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote + 1;
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end;
  while (SPACES.has(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

/** @param members the names seen so far in the object if the string is a name; undefined for a value */
function findStringProblem(written: string, members: Set<string> | undefined): string | undefined {
  const isEasy = !written.includes('\\');
  const meant = isEasy ? written.slice(1, -1) : String(JSON.parse(written));
  if (!isEasy && !isPlainText(meant)) return `contains ${showGiven(meant)}, but text must be ${PLAIN_TEXT_RULE}`;
  if (members?.has(meant)) return `has the property ${showGiven(meant)} twice in one object`;
  members?.add(meant);
  return undefined;
}

/** Callers must check that a property is the object's own, because names such as `constructor` may be inherited. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
