// What search engines and link previews are told, with a look at what they make of it.

import { useDraft } from '../editor/draft-context.ts';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { LinkPreviewFields } from './link-preview-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import { SearchPreview } from './search-preview.tsx';
import classes from './seo-page.module.css';
import { useSeo } from './use-seo.ts';

export function SeoPage() {
  const { state } = useDraft();
  const seo = useSeo();
  const { content } = state;
  const { name } = state.values;
  const isReadOnly = content.state === 'archived';
  return (
    <div className={classes.columns}>
      <form className={classes.fields} aria-label={HISTORY_TEXTS.seoForm} onSubmit={(event) => event.preventDefault()}>
        <SearchFields seo={seo} name={name} isReadOnly={isReadOnly} />
        <LinkPreviewFields seo={seo} name={name} url={content.url} isReadOnly={isReadOnly} />
      </form>
      <SearchPreview content={content} name={name} values={seo.values} />
    </div>
  );
}
