// Shows HTML safely: it builds React elements from an allow-list of elements and attributes. Anything else is shown as source.

import { IconPhoto } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import type { HtmlNode } from './html-nodes.ts';
import classes from './html-view.module.css';

interface HtmlViewProps {
  readonly nodes: readonly HtmlNode[];
  /** The positions of the marked words. */
  readonly marked?: ReadonlySet<number>;
  readonly mark?: 'ins' | 'del';
  /** Whether to load pictures. */
  readonly showsPictures?: boolean;
}

const NOTHING: ReadonlySet<number> = new Set();

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
    // biome-ignore lint/suspicious/noArrayIndexKey: only the position in the text tells equal runs apart
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
