// Sites inline SVG images in their pages, so the images must not contain code, foreign markup or external resources. The grammar
// here is stricter than XML and HTML: an accepted picture produces the same tree in an XML parser (`<img>`) and in an HTML parser
// (inlined), and contains only names from the allow-list.

import { decodeDataSvg } from './decode-data-address.ts';
import {
  EDITOR_PREFIXES,
  ELEMENTS,
  FUNCTIONS,
  NAMESPACES,
  REFERENCE_ATTRIBUTES,
  STYLE_PROPERTIES,
  TEXT_ATTRIBUTES,
  TEXT_ELEMENTS,
  VALUE_ATTRIBUTES,
} from './svg-allow-list.ts';

// These patterns allow only XML whitespace. `\s` also matches other characters, such as U+00A0. In HTML, that character would start a
// value.
const PROLOG =
  /^(?:<\?xml[\t\n\r ]+version=(["'])1\.\d\1(?:[\t\n\r ]+encoding=(["'])[\w-]+\2)?(?:[\t\n\r ]+standalone=(["'])(?:yes|no)\3)?[\t\n\r ]*\?>)?[\t\n\r ]*/;
const ENCODING = /[\t\n\r ]encoding=["']([^"']*)/;
const OPENING = /<([A-Za-z_][\w.:-]*)/y;
const ATTRIBUTE = /[\t\n\r ]+([A-Za-z_][\w.:-]*)[\t\n\r ]*=[\t\n\r ]*(?:"([^"<]*)"|'([^'<]*)')/y;
const OPENING_END = /[\t\n\r ]*(\/?)>/y;
const CLOSING = /<\/([A-Za-z_][\w.:-]*)[\t\n\r ]*>/y;
const TEXT = /[^<]+/y;
const NOT_BLANK = /[^\t\n\r ]/;
const PROPERTY = /^[\t\n\r ]*([\w-]+)[\t\n\r ]*$/;
/** Constructs that are rejected as a whole, with their end markers in XML. */
const REFUSED: readonly (readonly [start: string, end: string, message: string])[] = [
  ['<!--', '-->', 'must not contain comments (<!-- … -->)'],
  ['<![CDATA[', ']]>', 'must not contain CDATA sections'],
  ['<!', '>', 'must not contain a DOCTYPE or other declarations'],
  ['<?', '?>', 'must not contain processing instructions (<? … ?>)'],
];
/** XML without a DOCTYPE has five entities. HTML has more, some without a semicolon. */
const UNKNOWN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)/;
/** XML also forbids surrogates and non-characters. */
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/u;
const OWN_PART = /^#[^\s"'()<>\\]+$/;
const OWN_PIXELS = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\t\n\r ]*$/;
const OWN_ADDRESS = /url\([\t\n\r ]*(["']?)#([^\s"'()<>\\]+)\1[\t\n\r ]*\)/gi;
/** HTML parsers flatten elements that are nested deeper than a few hundred levels. */
const MOST_LEVELS = 100;
/** A few symbols that reference each other can draw billions of shapes. */
const MOST_DRAWN = 100_000;
const MOST_FAULTS = 20;
const SHOWN_CHARACTERS = 40;

/** @param address a `data:` URL of the type `image/svg+xml` */
export function findDataSvgFaults(address: string): readonly string[] {
  const source = decodeDataSvg(address);
  if (!source.ok) return [source.problem];
  // Browsers ignore everything after a `#`.
  return address.includes('#') ? ['must encode # as %23'] : findSvgFaults(source.value);
}

// The pattern accepts any whitespace, so it may also match harmless pictures.
const CODE = /<(?:[^\s<>/:]*:)?(?:script|handler|listener|foreignobject|iframe|object|embed)|[\s"'/]on[a-z]+\s*=/i;
const CODE_ADDRESS = /(?:java|vb)script:/i;
/** Entities that are valid in HTML but not in XML. */
const HIDDEN = /&(?:#(?!\d{1,7};|x[0-9A-Fa-f]{1,6};)|(?:colon|Tab|NewLine);)/;

/** Whether a faulty picture seems to run code, or cannot be checked. */
export function seemsToRunCode(address: string): boolean {
  const source = decodeDataSvg(address);
  return !source.ok || HIDDEN.test(source.value) || hasCode(source.value);
}

export function hasCode(source: string): boolean {
  const text = decodeEntities(source);
  // Browsers remove tabs and line breaks from URLs.
  return CODE.test(text) || CODE_ADDRESS.test(text.replaceAll(/\s/g, ''));
}

/** All faults in the picture. Each completes a sentence: `must not …`. */
export function findSvgFaults(source: string): readonly string[] {
  const reading = new SvgReading(source);
  reading.readAll();
  return [...reading.faults].slice(0, MOST_FAULTS);
}

/** An element of the picture. */
interface Part {
  readonly name: string;
  readonly children: Part[];
  /** The ids of the parts that it reuses. */
  readonly shown: string[];
  /** The number of elements that it draws; undefined while they are being counted. */
  drawn?: number | undefined;
}

class SvgReading {
  readonly faults = new Set<string>();
  readonly #source: string;
  readonly #open: Part[] = [];
  readonly #partsById = new Map<string, Part>();
  #root: Part | undefined;
  #at: number;

  constructor(source: string) {
    this.#source = source;
    const [prolog] = PROLOG.exec(source) ?? [''];
    this.#at = prolog.length;
    const encoding = ENCODING.exec(prolog)?.[1] ?? 'utf-8';
    if (encoding.toLowerCase() !== 'utf-8') this.faults.add('must be UTF-8 text');
    if (CONTROL.test(source)) this.faults.add('must not contain control characters');
  }

  readAll(): void {
    while (this.#at < this.#source.length && this.faults.size < MOST_FAULTS) {
      if (!this.#readRefused() && !this.#readClosing() && !this.#readOpening() && !this.#readText()) {
        this.#stop();
      }
    }
    const last = this.#open.at(-1);
    if (last !== undefined) this.#refuseForm(`<${shorten(last.name)}> is not closed`);
    if (this.#root === undefined) this.faults.add('must be an SVG document');
    else if (this.#countDrawn(this.#root, 0) > MOST_DRAWN) {
      this.faults.add(`must not draw more than ${MOST_DRAWN} elements, counting reused ones each time`);
    }
  }

  #countDrawn(part: Part, depth: number): number {
    if ('drawn' in part) return part.drawn ?? 0;
    if (depth > MOST_LEVELS * 2) return Number.POSITIVE_INFINITY;
    part.drawn = undefined;
    const again = part.shown.flatMap((id) => this.#partsById.get(id) ?? []);
    part.drawn = [...part.children, ...again].reduce((sum, each) => sum + this.#countDrawn(each, depth + 1), 1);
    return part.drawn;
  }

  #readRefused(): boolean {
    const refused = REFUSED.find(([start]) => this.#source.startsWith(start, this.#at));
    if (refused === undefined) return false;
    const [start, end, message] = refused;
    this.faults.add(message);
    const found = this.#source.indexOf(end, this.#at + start.length);
    this.#at = found === -1 ? this.#source.length : found + end.length;
    return true;
  }

  #readClosing(): boolean {
    const name = this.#take(CLOSING)?.[1];
    if (name === undefined) return false;
    if (this.#open.pop()?.name !== name) this.#refuseForm(`</${shorten(name)}> has no matching start tag`);
    return true;
  }

  #readOpening(): boolean {
    const name = this.#take(OPENING)?.[1];
    if (name === undefined) return false;
    const parent = this.#open.at(-1);
    const isRoot = parent === undefined;
    this.#checkElement(name, parent?.name);
    const part: Part = { name, children: [], shown: [] };
    parent?.children.push(part);
    this.#root ??= part;
    const names = new Set<string>();
    for (let match = this.#take(ATTRIBUTE); match !== null; match = this.#take(ATTRIBUTE)) {
      const [, attribute = '', quoted, other = ''] = match;
      if (names.has(attribute)) this.#refuseForm(`<${shorten(name)}> has ${shorten(attribute)} twice`);
      names.add(attribute);
      this.#checkAttribute(part, attribute, quoted ?? other, isRoot);
    }
    if (isRoot && !names.has('xmlns'))
      this.faults.add(`must have xmlns="${NAMESPACES.get('xmlns')}" on its root element`);
    const end = this.#take(OPENING_END);
    if (end === null) return this.#stop();
    if (end[1] === '') this.#open.push(part);
    if (this.#open.length > MOST_LEVELS) this.faults.add(`must not nest elements more than ${MOST_LEVELS} levels deep`);
    return true;
  }

  #checkElement(name: string, parent: string | undefined): void {
    if (parent === undefined && this.#root !== undefined) this.#refuseForm('it has more than one root element');
    if (this.#root === undefined && name !== 'svg') this.faults.add('must be an SVG document');
    if (!ELEMENTS.has(name)) this.faults.add(`must not contain a <${shorten(name)}> element`);
    if (parent !== undefined && TEXT_ELEMENTS.has(parent)) this.faults.add(`must contain only text in <${parent}>`);
  }

  #checkAttribute(part: Part, name: string, written: string, isRoot: boolean): void {
    const element = part.name;
    const place = `${shorten(name)} on <${shorten(element)}>`;
    const value = decodeEntities(written);
    if (UNKNOWN_ENTITY.test(written) || CONTROL.test(value)) this.#refuseEntity();
    if (name === 'id') this.#partsById.set(value, part);
    if (REFERENCE_ATTRIBUTES.has(name)) part.shown.push(value.slice(1));
    else for (const [, , id = ''] of value.matchAll(OWN_ADDRESS)) part.shown.push(id);
    const [prefix = ''] = name.split(':');
    if (prefix === 'xmlns') {
      if (NAMESPACES.get(name) !== value)
        this.faults.add(`must not declare the namespace ${shorten(name)}="${shorten(value)}"`);
    } else if (REFERENCE_ATTRIBUTES.has(name)) {
      const isOwn = OWN_PART.test(value) || (element === 'image' && OWN_PIXELS.test(value));
      if (!isOwn) this.faults.add(`must refer only to its own parts (#id) in ${place}`);
    } else if (name === 'attributeName') {
      const isHarmless = value !== 'overflow' && (VALUE_ATTRIBUTES.has(value) || STYLE_PROPERTIES.has(value));
      if (!isHarmless) this.faults.add(`must not animate ${shorten(value)}`);
    } else if (name === 'style') {
      for (const declaration of value.split(';')) this.#checkDeclaration(declaration, place, isRoot);
    } else if (STYLE_PROPERTIES.has(name) || VALUE_ATTRIBUTES.has(name)) {
      this.#checkValue(name, value, place, isRoot);
    } else if (!TEXT_ATTRIBUTES.has(name) && !(name.includes(':') && EDITOR_PREFIXES.has(prefix))) {
      this.faults.add(`must not have the attribute ${place}`);
    }
  }

  #checkDeclaration(declaration: string, place: string, isRoot: boolean): void {
    const [property = '', ...rest] = declaration.split(':');
    if (!NOT_BLANK.test(declaration)) return;
    const name = PROPERTY.exec(property)?.[1] ?? property;
    if (!STYLE_PROPERTIES.has(name)) this.faults.add(`must not set ${shorten(name)} in ${place}`);
    else this.#checkValue(name, rest.join(':'), place, isRoot);
  }

  #checkValue(name: string, value: string, place: string, isRoot: boolean): void {
    // `overflow` is harmless on other elements, because the root element clips everything outside the picture.
    if (name === 'overflow' && isRoot) this.faults.add('must not set overflow on its root element');
    if (/[\\@]|\/\*/.test(value)) this.faults.add(`must not contain \\, @ or /* in ${place}`);
    for (const [, called = ''] of value.replaceAll(OWN_ADDRESS, '').matchAll(/([\w-]*)\(/g)) {
      const isAddress = called.toLowerCase() === 'url';
      if (isAddress) this.faults.add(`must refer only to its own parts (#id) in ${place}`);
      else if (!FUNCTIONS.has(called.toLowerCase())) this.faults.add(`must not call ${shorten(called)}( in ${place}`);
    }
  }

  #readText(): boolean {
    const text = this.#take(TEXT)?.[0];
    if (text === undefined) return false;
    if (UNKNOWN_ENTITY.test(text) || CONTROL.test(decodeEntities(text))) this.#refuseEntity();
    if (text.includes(']]>')) this.#refuseForm('it has ]]> in its text');
    if (this.#open.length === 0 && NOT_BLANK.test(text)) this.#refuseForm('it has text outside its root element');
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  /** The rest cannot be parsed, because it may start in the middle of a tag. */
  #stop(): true {
    this.#refuseForm(`near ${shorten(this.#source.slice(this.#at))}`);
    this.#at = this.#source.length;
    return true;
  }

  #refuseEntity(): void {
    this.faults.add('must not contain entities other than &amp; &lt; &gt; &quot; &apos; and numeric entities');
  }

  #refuseForm(reason: string): void {
    this.faults.add(`must be well-formed XML: ${reason}`);
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9A-Fa-f]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    // No character has a number above this, so the entity is replaced with a character that is rejected.
    return point > 0x10ffff ? '\uffff' : String.fromCodePoint(point);
  });
}

function shorten(text: string): string {
  const shown = text.replaceAll(/\s+/g, ' ');
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
}
