// Rewrites an SVG image so that it can only draw: no scripts, no event handlers, no foreign documents, nothing loaded from elsewhere.
// The output is built from lists of known elements and attributes; anything else is left out. sanitize-html cannot do this: it writes the
// text of <style> without escaping it, which in XML would let markup through.

import { fail, ok, type Result } from '../content/result.ts';
import { readXml } from './read-xml.ts';
import { ANIMATIONS, ATTRIBUTES, DESCRIPTION, ELEMENTS, TEXT_ELEMENTS, UNWRAPPED } from './svg-names.ts';

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const LOCAL = /^\s*#[^\s"'()\\<>]+\s*$/;
const RASTER = /^\s*data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/;
const PICTURES = new Set(['image', 'feImage']);
const MOST_PARTS = 10_000;

/**
 * Returns the picture, or the reason why the text is not a valid picture. The time taken is proportional to the length of the text: about
 * 10 ms for a megabyte.
 */
export function sanitiseSvg(text: string): Result<string, string> {
  let done = '';
  // The parts are joined from time to time. If each part of a large picture remained a separate string, they would together use many times
  // as much memory as the picture.
  let output: string[] = [];
  // The end tag of each open element; null if the element is left out along with its contents, '' if only its tags are.
  const open: (string | null)[] = [];
  let prefix = '';
  let css: string | undefined;
  let isSvg = true;
  // How many of the open elements may contain text.
  let textLevels = 0;

  const read = readXml(text, {
    open(fullName, attributes) {
      if (open.length === 0) {
        prefix = /^.*:/.exec(fullName)?.[0] ?? '';
        isSvg = fullName === `${prefix}svg`;
      }
      const name = fullName.startsWith(prefix) ? fullName.slice(prefix.length) : '';
      const isLeftOut = !isSvg || open.at(-1) === null || css !== undefined;
      if (!isLeftOut && UNWRAPPED.has(name)) {
        open.push('');
      } else if (isLeftOut || !ELEMENTS.has(name) || !isSafeAnimation(name, attributes)) {
        open.push(null);
      } else {
        if (name === 'style') css = '';
        if (TEXT_ELEMENTS.has(name)) textLevels += 1;
        output.push(`<${name}`, open.length === 0 ? ` ${NAMESPACES}` : '', ...renderAttributes(name, attributes), '>');
        open.push(`</${name}>`);
      }
    },
    text(piece) {
      const end = open.at(-1);
      if (end === null || end === undefined) return;
      if (css !== undefined) css += piece;
      else if (textLevels > 0 || piece.trim() === '') output.push(escapeText(piece));
    },
    close() {
      const end = open.pop();
      if (end === '</style>' && css !== undefined) {
        output.push(escapeText(sanitiseCss(css) ?? ''));
        css = undefined;
      }
      if (typeof end === 'string') {
        output.push(end);
        if (TEXT_ELEMENTS.has(end.slice(2, -1))) textLevels -= 1;
      }
      if (output.length < MOST_PARTS) return;
      done += output.join('');
      output = [];
    },
  });
  if (!read.ok) return fail(`The SVG file is not valid XML. ${read.problem}`);
  if (!isSvg) return fail('The root element of the file is not svg.');
  return ok(done + output.join(''));
}

function* renderAttributes(element: string, attributes: ReadonlyMap<string, string>): Generator<string> {
  for (const [name, value] of attributes) {
    const safe = sanitiseAttribute(element, name, value);
    if (safe !== undefined) yield ` ${name}="${escapeValue(safe)}"`;
  }
}

function sanitiseAttribute(element: string, name: string, value: string): string | undefined {
  if (name === 'href' || name === 'xlink:href') {
    return LOCAL.test(value) || (PICTURES.has(element) && RASTER.test(value)) ? value : undefined;
  }
  if (DESCRIPTION.test(name)) return value;
  return ATTRIBUTES.has(name) ? sanitiseCss(value) : undefined;
}

/** An animation may change how something looks, but not what it links to or loads. */
function isSafeAnimation(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const target = attributes.get('attributeName');
  if (!ANIMATIONS.has(name) || target === undefined) return true;
  return ATTRIBUTES.has(target) && target !== 'style';
}

// `-moz-binding`, `behavior` and `expression` ran code in old browsers.
const UNSAFE_CSS =
  /expression\s*\(|-moz-binding|behavior\s*:|\b(?:image|image-set|src|cross-fade)\s*\(|\b(?:javascript|vbscript|data)\s*:|[\\<]/i;
const LOCAL_URL = /url\(\s*(["']?)#[^\s"'()]+\1\s*\)/gi;

/**
 * Presentation attributes are CSS values too, so the same rules apply to all of them. Undefined if the text could load or run something.
 */
function sanitiseCss(text: string): string | undefined {
  const plain = cutRules(cutComments(text));
  if (plain === undefined || UNSAFE_CSS.test(plain)) return undefined;
  // Without a backslash, there is no other way to write url().
  return /url\s*\(/i.test(plain.replace(LOCAL_URL, '')) ? undefined : plain;
}

function cutComments(text: string): string | undefined {
  return cut(text, /\/\*/g, () => '*/');
}

/** A picture can do without fonts and imports, so only these are left out, not the whole style sheet. */
function cutRules(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : cut(text, /@(import|charset|namespace|font-face)/gi, (rule) => RULE_ENDS[rule] ?? ';');
}

const RULE_ENDS: Readonly<Record<string, string>> = { '@font-face': '}' };

/** Replaces each range, from its start to its end, with a space; undefined if an end is missing. */
function cut(text: string, start: RegExp, findEnd: (start: string) => string): string | undefined {
  let kept = '';
  let from = 0;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = findEnd(found[0].toLowerCase());
    const at = text.indexOf(end, found.index + found[0].length);
    if (at === -1) return undefined;
    kept += `${text.slice(from, found.index)} `;
    from = at + end.length;
    start.lastIndex = from;
  }
  return kept + text.slice(from);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeValue(text: string): string {
  return escapeText(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ');
}
