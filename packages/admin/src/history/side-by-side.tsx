// Two languages of the same content, value by value.

import type { ManagedContentBody, TranslationBody } from '@galley/wire';
import { Loader, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { contentQuery } from '../editor/content-queries.ts';
import { Card } from '../elements/card.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { useLanguageNames } from '../languages/use-language-names.ts';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { FieldValueText, ItemText, type ValueContext } from './field-value-text.tsx';
import classes from './side-by-side.module.css';
import tableClasses from './value-table.module.css';

interface SideBySideProps extends ValueContext {
  readonly content: ManagedContentBody;
  readonly others: readonly TranslationBody[];
  /** The one of them that is shown. */
  readonly other: TranslationBody;
}

export function SideBySide({ site, types, content, others, other }: SideBySideProps) {
  const navigate = useNavigate({ from: '/sites/$site/content/$id/languages' });
  const nameLanguage = useLanguageNames(site);
  const { data, error } = useQuery(contentQuery(site, other.id));
  return (
    <Card title={HISTORY_TEXTS.sideBySide}>
      {others.length > 1 && (
        <SegmentedControl
          aria-label={HISTORY_TEXTS.sideBySideWith}
          className={classes.choice}
          size="xs"
          value={other.language}
          onChange={(beside) => navigate({ search: { beside }, replace: true, resetScroll: false })}
          data={others.map(({ language }) => ({ value: language, label: nameLanguage(language) }))}
        />
      )}
      {error !== null && <FormMessage message={describeError(error)} />}
      {error === null && data === undefined && <Loader type="dots" aria-label={SHELL_TEXTS.loading} />}
      {data !== undefined && <Comparison site={site} types={types} content={content} other={data} />}
    </Card>
  );
}

interface ComparisonProps extends ValueContext {
  readonly content: ManagedContentBody;
  readonly other: ManagedContentBody;
}

function Comparison({ site, types, content, other }: ComparisonProps) {
  const nameLanguage = useLanguageNames(site);
  const sides = [content, other];
  const fields = types.find(({ handle }) => handle === content.content_type)?.fields ?? [];
  const context = { site, types };
  return (
    <table className={tableClasses.table} aria-label={HISTORY_TEXTS.sideBySide}>
      <thead>
        <tr>
          <th scope="col">{HISTORY_TEXTS.field}</th>
          {sides.map(({ language }) => (
            <th key={language} scope="col">
              {nameLanguage(language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(['name', 'slug'] as const).map((member) => (
          <tr key={member}>
            <th scope="row">{HISTORY_TEXTS.members[member]}</th>
            {sides.map((side) => (
              <td key={side.language} data-label={nameLanguage(side.language)} lang={side.language}>
                <ItemText field={undefined} item={side[member]} {...context} />
              </td>
            ))}
          </tr>
        ))}
        {fields.map((field) => (
          <tr key={field.handle}>
            <th scope="row">{field.name}</th>
            {sides.map((side) => (
              <td key={side.language} data-label={nameLanguage(side.language)} lang={side.language}>
                <FieldValueText field={field} value={side.fields[field.handle]} {...context} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
