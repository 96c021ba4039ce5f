// Shows HTML safely: parses it into a tree of allowed elements and attributes, and builds React elements from the tree.
// All other HTML is shown as source. Words are numbered so that two texts can be compared.

import { IconPhoto } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import { splitWords } from './diff-words.ts';
import classes from './html-view.module.css';
import { resolveLink, resolvePicture } from './link-address.ts';
import { parseHtml, writeHtml } from './parse-html.ts';

const NOTHING: ReadonlySet<number> = new Set();

export interface HtmlWord {
  readonly text: string;
  /** The position of the word in the whole text. */
  readonly place: number;
  /** The text and its formatting. Words that look the same have the same key. */
  readonly key: string;
}

export type HtmlNode =
  | { readonly kind: 'text'; readonly words: readonly HtmlWord[] }
  | { readonly kind: 'break'; readonly tag: 'br' | 'hr' }
  | { readonly kind: 'picture'; readonly src: string | undefined; readonly alt: string }
  /** Shown as source only. */
  | { readonly kind: 'source'; readonly text: string }
  | {
      readonly kind: 'element';
      readonly tag: ShownTag;
      /** The level of a heading. */
      readonly level?: number;
      readonly href?: string | undefined;
      /** The number of columns and rows that a table cell spans. */
      readonly span?: { readonly colSpan?: number; readonly rowSpan?: number };
      readonly children: readonly HtmlNode[];
    };

const SHOWN = {
  ...{ p: 'p', div: 'div', blockquote: 'blockquote', pre: 'pre', ul: 'ul', ol: 'ol', li: 'li', a: 'a' },
  ...{ strong: 'strong', b: 'strong', em: 'em', i: 'em', u: 'u', s: 's', strike: 's', del: 's', code: 'code' },
  ...{ sup: 'sup', sub: 'sub', small: 'small', kbd: 'kbd', samp: 'code', q: 'q', cite: 'cite', mark: 'span' },
  ...{ span: 'span', ins: 'span', abbr: 'span', time: 'span', font: 'span', bdi: 'span', bdo: 'span', dfn: 'em' },
  ...{ var: 'em', data: 'span', figure: 'div', figcaption: 'div', picture: 'span', article: 'div', section: 'div' },
  ...{ header: 'div', footer: 'div', main: 'div', aside: 'div', nav: 'div', address: 'div', center: 'div' },
  ...{ details: 'div', summary: 'div', dl: 'div', dt: 'div', dd: 'div', hgroup: 'div' },
  ...{
    table: 'table',
    caption: 'caption',
    thead: 'thead',
    tbody: 'tbody',
    tfoot: 'tfoot',
    tr: 'tr',
    th: 'th',
    td: 'td',
  },
} as const;

type ShownTag = (typeof SHOWN)[keyof typeof SHOWN];

const SHOWN_BY_NAME: ReadonlyMap<string, ShownTag> = new Map(Object.entries(SHOWN));
/** Elements that have no visible content. */
const SILENT: ReadonlySet<string> = new Set(['source', 'track', 'wbr', 'colgroup', 'col', 'meta']);
const BREAKS = { br: 'br', hr: 'hr' } as const;
/** Elements whose direct text content is only white space. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol']);

/** @param siteUrl the base for relative URLs */
export function readHtmlNodes(html: string, siteUrl: string | null): readonly HtmlNode[] {
  let words = 0;

  function readText(text: string, marks: string): HtmlNode {
    return {
      kind: 'text',
      words: splitWords(text).map((word) => {
        words += 1;
        return { text: word, place: words - 1, key: `${marks} ${word}` };
      }),
    };
  }

  function readNode(node: Node, marks: string): readonly HtmlNode[] {
    if (node instanceof Text) return node.data === '' ? [] : [readText(node.data, marks)];
    if (!(node instanceof Element) || SILENT.has(node.localName)) return [];
    const { localName } = node;
    if (localName === 'br' || localName === 'hr') return [{ kind: 'break', tag: BREAKS[localName] }];
    if (localName === 'img') return [readPicture(node)];
    const [, level] = /^h([1-6])$/.exec(localName) ?? [];
    const tag = level === undefined ? SHOWN_BY_NAME.get(localName) : 'div';
    if (tag === undefined) return [{ kind: 'source', text: writeHtml(node) }];
    const href = localName === 'a' ? resolveLink(node.getAttribute('href') ?? '', siteUrl) : undefined;
    const inner = tag === 'span' || tag === 'div' ? marks : `${marks}<${tag} ${href ?? ''}${level ?? ''}>`;
    return [
      {
        kind: 'element',
        tag,
        href,
        ...(level === undefined ? {} : { level: Number(level) }),
        ...(tag === 'td' || tag === 'th' ? { span: readSpan(node) } : {}),
        children: [...node.childNodes]
          .filter((child) => !(WITHOUT_TEXT.has(tag) && child instanceof Text))
          .flatMap((child) => readNode(child, inner)),
      },
    ];
  }

  function readPicture(element: Element): HtmlNode {
    const src = resolvePicture(element.getAttribute('src') ?? '', siteUrl);
    return { kind: 'picture', src, alt: element.getAttribute('alt') ?? '' };
  }

  return [...parseHtml(html).childNodes]
    .filter((node) => !(node instanceof Text) || node.data.trim() !== '')
    .flatMap((node) => readNode(node, ''));
}

/** The words in the text, in order. */
export function listWords(nodes: readonly HtmlNode[]): readonly HtmlWord[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'text') return node.words;
    return node.kind === 'element' ? listWords(node.children) : [];
  });
}

function readSpan(cell: Element): { readonly colSpan?: number; readonly rowSpan?: number } {
  const [columns, rows] = ['colspan', 'rowspan'].map((name) => Number(cell.getAttribute(name) ?? 1));
  return {
    ...(columns !== undefined && columns > 1 && columns <= 1000 ? { colSpan: columns } : {}),
    ...(rows !== undefined && rows > 1 && rows <= 1000 ? { rowSpan: rows } : {}),
  };
}

interface HtmlViewProps {
  readonly nodes: readonly HtmlNode[];
  /** The positions of the marked words. */
  readonly marked?: ReadonlySet<number>;
  readonly mark?: 'ins' | 'del';
  /** Whether to load pictures. */
  readonly showsPictures?: boolean;
}

export function HtmlView({ nodes, marked = NOTHING, mark: Mark = 'ins', showsPictures = false }: HtmlViewProps) {
  function renderAll(children: readonly HtmlNode[]): readonly ReactNode[] {
    return children.map(render);
  }

  function render(node: HtmlNode, key: number): ReactNode {
    if (node.kind === 'source') return <code key={key}>{node.text}</code>;
    if (node.kind === 'text') return <span key={key}>{renderWords(node.words)}</span>;
    if (node.kind === 'break') return <node.tag key={key} />;
    if (node.kind === 'picture') return <Picture key={key} {...node} isLoaded={showsPictures} />;
    const { tag, children } = node;
    if (tag === 'a' && node.href !== undefined) {
      return (
        <a key={key} href={node.href} target="_blank" rel="noopener noreferrer">
          {renderAll(children)}
        </a>
      );
    }
    if (node.level !== undefined) {
      return (
        <div key={key} className={classes.heading} data-level={node.level}>
          {renderAll(children)}
        </div>
      );
    }
    return createElement(tag, { key, ...node.span }, ...renderAll(children));
  }

  /** Consecutive marked words become one mark. */
  function renderWords(words: Extract<HtmlNode, { kind: 'text' }>['words']): readonly ReactNode[] {
    const runs: { readonly isMarked: boolean; text: string }[] = [];
    for (const { text, place } of words) {
      const isMarked = marked.has(place);
      const last = runs.at(-1);
      if (last?.isMarked === isMarked) last.text += text;
      else runs.push({ isMarked, text });
    }
    // biome-ignore lint/suspicious/noArrayIndexKey: only the position in the text distinguishes equal runs
    return runs.map(({ isMarked, text }, index) => (isMarked ? <Mark key={index}>{text}</Mark> : text));
  }

  return <div className={classes.view}>{renderAll(nodes)}</div>;
}

interface PictureProps {
  readonly src: string | undefined;
  readonly alt: string;
  readonly isLoaded: boolean;
}

function Picture({ src, alt, isLoaded }: PictureProps) {
  if (isLoaded && src !== undefined) {
    return <img src={src} alt={alt} loading="lazy" referrerPolicy="no-referrer" />;
  }
  return (
    <span className={classes.picture}>
      <IconPhoto size={15} aria-hidden />
      {alt === '' ? (src?.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : alt}
    </span>
  );
}
