// The differences between two versions, with one row per value: before on the left, after on the right. Changed words are marked,
// and long unchanged parts are omitted.

import type { ChangeBody, ManagedContentBody } from '@galley/wire';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findChangedWords, splitWords } from '../../editor/fields/diff-words.ts';
import { AuthorName, ItemText, type ValueContext } from '../../editor/fields/field-value-text.tsx';
import { type HtmlNode, HtmlView, listWords, readHtmlNodes } from '../../editor/fields/html-view.tsx';
import { describeError } from '../../forms/describe-error.ts';
import { FormMessage } from '../../forms/form-frame.tsx';
import { siteQuery } from '../../sites/site-queries.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { comparisonQuery } from '../tab-queries.ts';
import tableClasses from '../value-table.module.css';
import classes from './change-list.module.css';
import { describeChange } from './describe-change.ts';

interface ChangeListProps extends ValueContext {
  readonly content: ManagedContentBody;
  readonly from: number;
  readonly to: number;
}

export function ChangeList({ site, content, types, from, to }: ChangeListProps) {
  const { data, error } = useQuery(comparisonQuery(site, content.id, from, to));
  if (error !== null) return <FormMessage message={describeError(error)} />;
  if (data === undefined) return <Loader type="dots" aria-label={SHELL_TEXTS.loading} />;
  if (data.changes.length === 0) return <Text c="dimmed">{TAB_TEXTS.noChanges}</Text>;
  return (
    <table className={tableClasses.table} aria-label={TAB_TEXTS.comparedTo(from, to)}>
      <thead>
        <tr>
          <th scope="col">{TAB_TEXTS.field}</th>
          <th scope="col">{TAB_TEXTS.before}</th>
          <th scope="col">{TAB_TEXTS.after}</th>
        </tr>
      </thead>
      <tbody>
        {data.changes.map((change) => (
          <ChangeRow key={change.path} change={change} content={content} site={site} types={types} />
        ))}
      </tbody>
    </table>
  );
}

interface ChangeRowProps extends ValueContext {
  readonly change: ChangeBody;
  readonly content: ManagedContentBody;
}

function ChangeRow({ change, content, site, types }: ChangeRowProps) {
  const { label, field } = describeChange(change.path, content.content_type, types);
  const { before, after } = change;
  const show = (value: unknown): ReactNode =>
    change.path === 'author' && typeof value === 'string' ? (
      <AuthorName site={site} id={value} />
    ) : (
      <ItemText field={field} item={value} site={site} types={types} />
    );
  const isProse = (field === undefined || field.type === 'text' || field.type === 'list') && change.path !== 'author';
  const texts = isProse && typeof before === 'string' && typeof after === 'string' ? { before, after } : undefined;
  const showSide = (value: unknown, side: 'removed' | 'added'): ReactNode => {
    if (texts === undefined) return show(value);
    return field?.format === 'html' ? (
      <ChangedHtml {...texts} side={side} site={site} />
    ) : (
      <ChangedText {...texts} side={side} />
    );
  };
  return (
    <tr>
      <th scope="row">{label.join(' › ')}</th>
      <td data-label={TAB_TEXTS.before}>
        <div className={classes.value}>{showSide(before, 'removed')}</div>
      </td>
      <td data-label={TAB_TEXTS.after}>
        <div className={classes.value}>{showSide(after, 'added')}</div>
      </td>
    </tr>
  );
}

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
  readonly side: 'removed' | 'added';
}

const MARKS = { removed: 'del', added: 'ins' } as const;
/** The maximum number of unchanged words shown next to a change. */
const MOST_AROUND = 30;

function ChangedText({ before, after, side }: ChangedTextProps) {
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

/** @param isAfter whether the words follow a change @param isBefore whether a change follows them */
function shorten(words: readonly string[], isAfter: boolean, isBefore: boolean): string {
  const head = isAfter || !isBefore ? MOST_AROUND : 0;
  const tail = isBefore ? MOST_AROUND : 0;
  if (words.length <= head + tail + 1) return words.join('');
  return `${words.slice(0, head).join('')}…${tail === 0 ? '' : words.slice(-tail).join('')}`;
}

function ChangedHtml({ before, after, side, site }: ChangedTextProps & { readonly site: string }) {
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

/** Omits blocks that are neither changed nor next to a changed block. */
function leaveOutSame(nodes: readonly HtmlNode[], marked: ReadonlySet<number>): readonly HtmlNode[] {
  const isChanged = nodes.map((node) => listWords([node]).some(({ place }) => marked.has(place)));
  if (!isChanged.includes(true)) return nodes;
  const isNear = nodes.map((_, index) => isChanged.slice(Math.max(0, index - 1), index + 2).includes(true));
  return nodes.flatMap((node, index) => {
    if (isNear[index] === true) return [node];
    return isNear[index - 1] === true || index === 0 ? [GAP] : [];
  });
}
