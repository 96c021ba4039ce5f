// Styles and headings that copied text marks by class or role. Pages and other Mac programs write their styles as classes, and
// only the font size shows what is a heading. Word has a class for the title, and Word for the web a role for headings.

import { type Declarations, parseDeclarations, readStyle, readStyleSheet } from './parse-html.ts';

export interface Sheet {
  readonly readStyle: (element: Element) => Declarations;
  /** The level of a heading that is not an h1 to h6 element. */
  readonly readHeading: (element: Element) => number | undefined;
}

const RULE = /\b([a-z]+)\.([a-z]+\d+)\s*\{([^}]*)\}/gi;
const SIZE = /([\d.]+)px/;
const MOST_LEVELS = 3;
const HEADING_RATIO = 1.15;

export function readSheet(html: string, body: Element): Sheet {
  if (!/<meta[^>]+Cocoa HTML Writer/i.test(html)) {
    return { readStyle, readHeading: readNamedHeading };
  }
  const rules = new Map<string, Declarations>();
  for (const [, tag, name, declarations = ''] of readStyleSheet(html).matchAll(RULE)) {
    rules.set(`${tag}.${name}`, expandFont(parseDeclarations(declarations)));
  }
  const findRule = ({ localName, className }: Element): Declarations =>
    rules.get(`${localName}.${className}`) ?? new Map();
  const sizes = findHeadingSizes(body, (element) => readSize(findRule(element)));
  return {
    readStyle: (element) => new Map([...findRule(element), ...readStyle(element)]),
    readHeading: (element) => {
      const level = element.localName === 'p' ? sizes.indexOf(readSize(findRule(element))) : -1;
      return level < 0 ? undefined : Math.min(level + 1, MOST_LEVELS);
    },
  };
}

function readNamedHeading(element: Element): number | undefined {
  if (element.matches('p.MsoTitle')) return 1;
  const level = Number(element.matches('p[role="heading"]') ? element.getAttribute('aria-level') : 0);
  return level >= 1 && level <= 6 ? level : undefined;
}

function expandFont(declarations: Declarations): Declarations {
  const font = declarations.get('font');
  if (font === undefined) return declarations;
  const size = SIZE.exec(font)?.[0] ?? '';
  return new Map([
    ...declarations,
    ['font-size', size],
    ...(/\bbold\b/.test(font) ? [['font-weight', 'bold'] as const] : []),
    ...(/\bitalic\b/.test(font) ? [['font-style', 'italic'] as const] : []),
  ]);
}

function readSize(declarations: Declarations): number {
  return Number(SIZE.exec(declarations.get('font-size') ?? '')?.[1] ?? 0);
}

/** Font sizes larger than that of most of the text, the largest first. */
function findHeadingSizes(body: Element, sizeOf: (element: Element) => number): readonly number[] {
  const lengths = new Map<number, number>();
  for (const line of body.querySelectorAll('p, li')) {
    const size = sizeOf(line);
    lengths.set(size, (lengths.get(size) ?? 0) + line.textContent.trim().length);
  }
  const [[usual] = [0]] = [...lengths].toSorted(([, one], [, other]) => other - one);
  return [...lengths.keys()].filter((size) => size > usual * HEADING_RATIO).toSorted((one, other) => other - one);
}
