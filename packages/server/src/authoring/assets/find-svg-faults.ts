// An SVG picture that sites print into their pages must be a picture and nothing else: no code, no foreign markup, and
// nothing that is fetched from elsewhere. What a browser could read otherwise than we do is refused too.

import { Parser } from 'htmlparser2';

/** By the name without its prefix, in lower case. */
const FORBIDDEN_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'handler',
  'listener',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'meta',
  'link',
  'base',
  'form',
]);
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const SVG_DOCTYPE = /^<!DOCTYPE\s+svg(?:\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [^"<>[\]]*"\s+"[^"<>[\]]*")?\s*>/;
const XML_DECLARATION = /^<\?xml\s[^<>?]*\?>/;
const XML_ENCODING = /\sencoding\s*=\s*["']([^"']*)["']/;
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'us-ascii']);
/** XML without a DOCTYPE of its own knows five names. */
const UNKNOWN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)/;
const RASTER_START = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i;
const BLANKS = /[\s\p{Cc}]/gu;
const CSS_ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis;
const CSS_ADDRESS = /url\(\s*(["']?)([^"')]*)/gi;
/** These fetch what a plain string names. */
const CSS_FETCHING = /@import|image-set\(|src\(|image\(|cross-fade\(|expression\(|-moz-binding|behavior\s*:/i;

/** Everything that is wrong with it; each reads on from the picture: `must not …`. */
export function findSvgFaults(source: string): readonly string[] {
  const text = source.replace(/^\uFEFF/, '').trimStart();
  const faults = new Set(findMarkupFaults(text));
  let root: string | undefined;
  let style: string | undefined;
  const parser = new Parser(
    {
      onopentagname(name) {
        root ??= localName(name);
        if (localName(name) === 'style') style = '';
        if (FORBIDDEN_ELEMENTS.has(localName(name))) faults.add(`must not hold a <${localName(name)}> element`);
      },
      onattribute(name, value) {
        for (const fault of findAttributeFaults(name, value)) faults.add(fault);
      },
      ontext(part) {
        if (style !== undefined) style += part;
      },
      onclosetag(name) {
        if (localName(name) !== 'style' || style === undefined) return;
        for (const fault of findStyleFaults(style)) faults.add(fault);
        style = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  if (root !== 'svg') faults.add('must be an SVG document');
  return [...faults];
}

/** Declarations and instructions can give names a meaning that is not written where they stand. */
function findMarkupFaults(text: string): readonly string[] {
  const faults: string[] = [];
  const declaration = XML_DECLARATION.exec(text)?.[0] ?? '';
  const encoding = XML_ENCODING.exec(declaration)?.[1];
  if (encoding !== undefined && !PLAIN_ENCODINGS.has(encoding.toLowerCase())) faults.push('must be UTF-8 text');
  if (text.indexOf('<?', declaration.length) !== -1) faults.push('must not hold processing instructions');
  const start = /<!DOCTYPE/i.exec(text)?.index;
  const doctype = start === undefined ? '' : (SVG_DOCTYPE.exec(text.slice(start))?.[0] ?? '');
  const rest = doctype === '' ? text : text.replace(doctype, '');
  if (/<!(?!--|\[CDATA\[)/.test(rest)) faults.push('must not hold declarations, but for the DOCTYPE of SVG');
  if (UNKNOWN_ENTITY.test(rest)) faults.push('must not hold entities other than those of XML');
  return faults;
}

function findAttributeFaults(name: string, value: string): readonly string[] {
  const faults: string[] = [];
  const local = localName(name);
  const isNamespace = name === 'xmlns' || name.startsWith('xmlns:');
  const packed = value.replaceAll(BLANKS, '').toLowerCase();
  if (isNamespace) return packed === HTML_NAMESPACE ? ['must not hold HTML'] : [];
  if (local.startsWith('on')) faults.push(`must not hold event handlers, such as ${local}`);
  if (packed.includes('javascript:') || packed.includes('vbscript:')) faults.push('must not hold script addresses');
  if (local === 'base') faults.push('must not change the base of its addresses');
  if (local === 'attributename' && /^(?:.*:)?(?:href|on.*)$/.test(packed)) {
    faults.push('must not animate addresses or event handlers');
  }
  const isAddress = local === 'href' || local === 'src';
  if (isAddress && !isInside(value)) faults.push('must not refer to anything outside of itself');
  // Attributes such as fill are CSS too.
  return isAddress ? faults : [...faults, ...findStyleFaults(value)];
}

function findStyleFaults(css: string): readonly string[] {
  const plain = css.replaceAll(CSS_ESCAPE, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (character ?? '') : decodeCssCode(code),
  );
  const addresses = [...plain.matchAll(CSS_ADDRESS)].map((match) => match[2] ?? '');
  const isSelfContained = !CSS_FETCHING.test(plain) && addresses.every(isInside);
  const faults = isSelfContained ? [] : ['must not refer to anything outside of itself'];
  const hasScript = plain.replaceAll(BLANKS, '').toLowerCase().includes('javascript:');
  return hasScript ? [...faults, 'must not hold script addresses'] : faults;
}

function decodeCssCode(code: string): string {
  const point = Number.parseInt(code, 16);
  return point > 0x10ffff ? '' : String.fromCodePoint(point);
}

/** A part of the same picture, or pixels that it carries with it. */
function isInside(address: string): boolean {
  const trimmed = address.trim();
  return trimmed === '' || trimmed.startsWith('#') || RASTER_START.test(trimmed);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
