// The languages of one content object: what there is, what is missing, and two of them side by side.

import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { siteQuery } from '../sites/site-queries.ts';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SideBySide } from './side-by-side.tsx';
import { TranslationList } from './translation-list.tsx';
import { useOpenedContent } from './use-opened-content.ts';

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
        title={HISTORY_TEXTS.languages}
        intro={describeMissing(siteBody.languages.length, content.missing_languages.length)}
      >
        <TranslationList site={site} content={content} languages={siteBody.languages} />
      </Card>
      {other !== undefined && <SideBySide site={site} types={types} content={content} others={others} other={other} />}
    </>
  );
}

function describeMissing(languages: number, missing: number): string {
  if (languages === 1) return HISTORY_TEXTS.oneLanguage;
  return missing === 0 ? HISTORY_TEXTS.complete : HISTORY_TEXTS.missingCount(missing);
}
