// Shows one side of a comparison of two texts. Changed words are marked, and long unchanged parts are left out.

import { useQuery } from '@tanstack/react-query';
import { type HtmlNode, listWords, readHtmlNodes } from '../editor/fields/html-nodes.ts';
import { HtmlView } from '../editor/fields/html-view.tsx';
import { siteQuery } from '../sites/site-queries.ts';
import classes from './change-list.module.css';
import { findChangedWords, splitWords } from './diff-words.ts';

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
  readonly side: 'removed' | 'added';
}

const MARKS = { removed: 'del', added: 'ins' } as const;
/** How many unchanged words are shown beside a change. */
const MOST_AROUND = 30;

export function ChangedText({ before, after, side }: ChangedTextProps) {
  const [was, is] = [splitWords(before), splitWords(after)];
  const marked = findChangedWords(was, is)[side];
  const runs = listRuns(side === 'removed' ? was : is, marked);
  const Mark = MARKS[side];
  return (
    <span className={classes.text}>
      {runs.map(({ words, isMarked }, index) => {
        const key = `${index} ${isMarked}`;
        if (isMarked) return <Mark key={key}>{words.join('')}</Mark>;
        return <span key={key}>{shorten(words, index > 0, index < runs.length - 1)}</span>;
      })}
    </span>
  );
}

interface Run {
  readonly isMarked: boolean;
  readonly words: string[];
}

function listRuns(words: readonly string[], marked: ReadonlySet<number>): readonly Run[] {
  const runs: Run[] = [];
  for (const [place, word] of words.entries()) {
    const isMarked = marked.has(place);
    const last = runs.at(-1);
    if (last?.isMarked === isMarked) last.words.push(word);
    else runs.push({ isMarked, words: [word] });
  }
  return runs;
}

/** @param isAfter whether it follows a change @param isBefore whether a change follows it */
function shorten(words: readonly string[], isAfter: boolean, isBefore: boolean): string {
  const head = isAfter || !isBefore ? MOST_AROUND : 0;
  const tail = isBefore ? MOST_AROUND : 0;
  if (words.length <= head + tail + 1) return words.join('');
  return `${words.slice(0, head).join('')}…${tail === 0 ? '' : words.slice(-tail).join('')}`;
}

export function ChangedHtml({ before, after, side, site }: ChangedTextProps & { readonly site: string }) {
  const { data } = useQuery(siteQuery(site));
  const [was, is] = [before, after].map((html) => readHtmlNodes(html, data?.url ?? null));
  if (was === undefined || is === undefined) return null;
  const [wasWords, isWords] = [was, is].map((nodes) => listWords(nodes).map(({ key }) => key));
  const marked = findChangedWords(wasWords ?? [], isWords ?? [])[side];
  return (
    <div className={classes.text}>
      <HtmlView nodes={leaveOutSame(side === 'removed' ? was : is, marked)} marked={marked} mark={MARKS[side]} />
    </div>
  );
}

const GAP: HtmlNode = { kind: 'source', text: '…' };

/** Leaves out blocks that are neither changed nor next to a changed one. */
function leaveOutSame(nodes: readonly HtmlNode[], marked: ReadonlySet<number>): readonly HtmlNode[] {
  const isChanged = nodes.map((node) => listWords([node]).some(({ place }) => marked.has(place)));
  if (!isChanged.includes(true)) return nodes;
  const isNear = nodes.map((_, index) => isChanged.slice(Math.max(0, index - 1), index + 2).includes(true));
  return nodes.flatMap((node, index) => {
    if (isNear[index] === true) return [node];
    return isNear[index - 1] === true || index === 0 ? [GAP] : [];
  });
}
