// What differs between two versions, a row for each value: before on the left, after on the right.

import type { ChangeBody, ManagedContentBody } from '@galley/wire';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './change-list.module.css';
import { ChangedHtml, ChangedText } from './changed-text.tsx';
import { describeChange } from './describe-change.ts';
import { ItemText, type ValueContext } from './field-value-text.tsx';
import { comparisonQuery } from './history-queries.ts';
import { AuthorName } from './named-reference.tsx';
import tableClasses from './value-table.module.css';

interface ChangeListProps extends ValueContext {
  readonly content: ManagedContentBody;
  readonly from: number;
  readonly to: number;
}

export function ChangeList({ site, content, types, from, to }: ChangeListProps) {
  const { data, error } = useQuery(comparisonQuery(site, content.id, from, to));
  if (error !== null) return <FormMessage message={describeError(error)} />;
  if (data === undefined) return <Loader type="dots" aria-label={SHELL_TEXTS.loading} />;
  if (data.changes.length === 0) return <Text c="dimmed">{HISTORY_TEXTS.noChanges}</Text>;
  return (
    <table className={tableClasses.table} aria-label={HISTORY_TEXTS.comparedTo(from, to)}>
      <thead>
        <tr>
          <th scope="col">{HISTORY_TEXTS.field}</th>
          <th scope="col">{HISTORY_TEXTS.before}</th>
          <th scope="col">{HISTORY_TEXTS.after}</th>
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
      <td data-label={HISTORY_TEXTS.before}>
        <div className={classes.value}>{showSide(before, 'removed')}</div>
      </td>
      <td data-label={HISTORY_TEXTS.after}>
        <div className={classes.value}>{showSide(after, 'added')}</div>
      </td>
    </tr>
  );
}
