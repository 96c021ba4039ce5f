// The languages of one content object: those that exist and those that are missing, and a side-by-side view of two of them.

import type { ManagedContentBody, TranslationBody } from '@galley/wire';
import { Loader, SegmentedControl } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { contentQuery } from '../../editor/content-calls.ts';
import { FieldValueText, ItemText, type ValueContext } from '../../editor/fields/field-value-text.tsx';
import { Card } from '../../elements/card.tsx';
import { describeError } from '../../forms/describe-error.ts';
import { FormMessage } from '../../forms/form-frame.tsx';
import { siteQuery } from '../../sites/site-queries.ts';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { useOpenedContent } from '../use-opened-content.ts';
import tableClasses from '../value-table.module.css';
import classes from './languages-page.module.css';
import { TranslationList } from './translation-list.tsx';

const route = getRouteApi('/signed-in/sites/$site/content/$id/languages');

export function LanguagesPage() {
  const { site, content, types } = useOpenedContent();
  const { data: siteBody } = useSuspenseQuery(siteQuery(site));
  const { beside } = route.useSearch();
  const others = content.translations.filter(({ id }) => id !== content.id);
  const other = others.find(({ language }) => language === beside) ?? others[0];
  return (
    <>
      <Card
        title={TAB_TEXTS.languages}
        intro={describeMissing(siteBody.languages.length, content.missing_languages.length)}
      >
        <TranslationList site={site} content={content} languages={siteBody.languages} />
      </Card>
      {other !== undefined && <SideBySide site={site} types={types} content={content} others={others} other={other} />}
    </>
  );
}

function describeMissing(languages: number, missing: number): string {
  if (languages === 1) return TAB_TEXTS.oneLanguage;
  return missing === 0 ? TAB_TEXTS.complete : TAB_TEXTS.missingCount(missing);
}

interface SideBySideProps extends ValueContext {
  readonly content: ManagedContentBody;
  readonly others: readonly TranslationBody[];
  /** The translation that is shown. */
  readonly other: TranslationBody;
}

function SideBySide({ site, types, content, others, other }: SideBySideProps) {
  const navigate = route.useNavigate();
  const nameLanguage = useLanguageNames(site);
  const { data, error } = useQuery(contentQuery(site, other.id));
  return (
    <Card title={TAB_TEXTS.sideBySide}>
      {others.length > 1 && (
        <SegmentedControl
          aria-label={TAB_TEXTS.sideBySideWith}
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
    <table className={tableClasses.table} aria-label={TAB_TEXTS.sideBySide}>
      <thead>
        <tr>
          <th scope="col">{TAB_TEXTS.field}</th>
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
            <th scope="row">{TAB_TEXTS.members[member]}</th>
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
