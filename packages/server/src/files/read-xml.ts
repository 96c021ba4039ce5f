// A small, strict XML reader for untrusted documents. It expands only XML's predefined entities, and skips document types, so a
// document cannot grow while it is being read. Anything that is not well-formed is reported as a problem.

import { fail, ok, type Result } from '../content/result.ts';

export interface XmlVisitor {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(): void;
  /** Also called with the text of CDATA sections. */
  text(text: string): void;
}

const MOST_LEVELS = 256;
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_.-]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.-]*)?/uy;
const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters.
const FORBIDDEN = /[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/u;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

class NotWellFormed extends Error {}

export function readXml(document: string, visitor: XmlVisitor): Result<undefined, string> {
  try {
    readDocument(document.replace(/^\uFEFF/, ''), visitor);
    return ok(undefined);
  } catch (error) {
    if (error instanceof NotWellFormed) return fail(error.message);
    throw error;
  }
}

function readDocument(text: string, visitor: XmlVisitor): void {
  if (FORBIDDEN.test(text)) throw new NotWellFormed('It contains characters that XML does not allow.');
  const names: string[] = [];
  let hasRoot = false;
  let at = 0;

  function skipPast(end: string, from: number): void {
    const found = text.indexOf(end, from);
    if (found === -1) throw new NotWellFormed(`"${end}" is missing.`);
    at = found + end.length;
  }

  function readName(): string {
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name === undefined) throw new NotWellFormed(`A name is missing at character ${at}.`);
    at += name.length;
    return name;
  }

  function skipSpace(): boolean {
    SPACE.lastIndex = at;
    const length = SPACE.exec(text)?.[0].length ?? 0;
    at += length;
    return length > 0;
  }

  function readAttributes(): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    while (true) {
      const hasSpace = skipSpace();
      if (text[at] === '>' || text[at] === '/') return attributes;
      if (!hasSpace) throw new NotWellFormed(`A space is missing at character ${at}.`);
      const name = readName();
      skipSpace();
      if (text[at] !== '=') throw new NotWellFormed(`The attribute ${name} has no value.`);
      at += 1;
      skipSpace();
      const quote = text[at];
      if (quote !== '"' && quote !== "'")
        throw new NotWellFormed(`The value of the attribute ${name} is not in quotes.`);
      const start = at + 1;
      skipPast(quote, start);
      const value = text.slice(start, at - 1);
      if (value.includes('<')) throw new NotWellFormed(`The attribute ${name} contains "<".`);
      if (attributes.has(name)) throw new NotWellFormed(`The attribute ${name} occurs twice.`);
      attributes.set(name, decode(value));
    }
  }

  function readTag(): void {
    at += 1;
    const name = readName();
    if (names.length === 0 && hasRoot) throw new NotWellFormed('It has more than one root element.');
    if (names.length >= MOST_LEVELS) throw new NotWellFormed(`It has more than ${MOST_LEVELS} levels of elements.`);
    hasRoot = true;
    visitor.open(name, readAttributes());
    if (text[at] === '/') {
      at += 1;
      if (text[at] !== '>') throw new NotWellFormed(`The element ${name} is not closed.`);
      visitor.close();
    } else {
      names.push(name);
    }
    at += 1;
  }

  function readEndTag(): void {
    at += 2;
    const name = readName();
    if (names.pop() !== name) throw new NotWellFormed(`</${name}> closes no element.`);
    skipSpace();
    if (text[at] !== '>') throw new NotWellFormed(`</${name}> is not closed.`);
    at += 1;
    visitor.close();
  }

  function readText(): void {
    const end = text.indexOf('<', at);
    const piece = text.slice(at, end === -1 ? text.length : end);
    at += piece.length;
    if (names.length > 0) visitor.text(decode(piece));
    else if (piece.trim() !== '') throw new NotWellFormed('It has text outside its root element.');
  }

  function readDocumentType(): void {
    if (hasRoot) throw new NotWellFormed('The document type must precede the root element.');
    let depth = 0;
    for (at += 2; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (character === '"' || character === "'") {
        skipPast(character, at + 1);
        at -= 1;
      } else if (text.startsWith('<!--', at)) {
        skipPast('-->', at + 4);
        at -= 1;
      } else if (character === '[') depth += 1;
      else if (character === ']') depth -= 1;
      else if (character === '>' && depth === 0) break;
    }
    at += 1;
  }

  while (at < text.length) {
    if (text[at] !== '<') readText();
    else if (text.startsWith('<!--', at)) skipPast('-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) {
      const start = at + 9;
      skipPast(']]>', start);
      if (names.length === 0) throw new NotWellFormed('It has text outside its root element.');
      visitor.text(text.slice(start, at - 3));
    } else if (text.startsWith('<?', at)) skipPast('?>', at + 2);
    else if (text.startsWith('<!', at)) readDocumentType();
    else if (text.startsWith('</', at)) readEndTag();
    else readTag();
  }
  if (!hasRoot) throw new NotWellFormed('It has no root element.');
  if (names.length > 0) throw new NotWellFormed(`The element ${names.at(-1)} is not closed.`);
}

/** Entities that the document declares are unknown here and are removed. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{1,32};)?/g, (_match, reference: string | undefined) => {
    if (reference === undefined) throw new NotWellFormed('"&" must be written as "&amp;".');
    const name = reference.slice(0, -1);
    const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
    if (number === null) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? '') : '';
    const [, hexadecimal, decimal] = number;
    return decodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

function decodePoint(point: number): string {
  const character = point > 0x10ffff ? '\0' : String.fromCodePoint(point);
  if (FORBIDDEN.test(character)) throw new NotWellFormed('It contains characters that XML does not allow.');
  return character;
}
