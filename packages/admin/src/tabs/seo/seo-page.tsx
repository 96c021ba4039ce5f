// The SEO text for search engines and link previews, with a preview of both. Pictures are not loaded, because they are on other servers.

import type { ManagedContentBody } from '@galley/wire';
import { Alert } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useDraftState } from '../../editor/use-draft.ts';
import { Card } from '../../elements/card.tsx';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import previewClasses from './search-preview.module.css';
import { LinkPreviewFields, SearchFields, useSeo } from './seo-fields.tsx';
import classes from './seo-page.module.css';
import type { SeoValues } from './seo-values.ts';

export function SeoPage() {
  const seo = useSeo();
  const content = useDraftState((state) => state.content);
  const name = useDraftState(({ values }) => values.name);
  const isReadOnly = content.state === 'archived';
  return (
    <div className={classes.columns}>
      <form className={classes.fields} aria-label={TAB_TEXTS.seoForm} onSubmit={(event) => event.preventDefault()}>
        <SearchFields seo={seo} name={name} isReadOnly={isReadOnly} />
        <LinkPreviewFields seo={seo} name={name} url={content.url} isReadOnly={isReadOnly} />
      </form>
      <SearchPreview content={content} name={name} values={seo.values} />
    </div>
  );
}

interface SearchPreviewProps {
  readonly content: ManagedContentBody;
  /** Including unsaved changes. */
  readonly name: string;
  readonly values: SeoValues;
}

function SearchPreview({ content, name, values }: SearchPreviewProps) {
  const title = values.title === '' ? name : values.title;
  const address = values.canonical_url === '' ? content.url : values.canonical_url;
  return (
    <div className={previewClasses.previews}>
      <Card title={TAB_TEXTS.previewHeading}>
        {/noindex|none/i.test(values.robots) && (
          <Alert color="yellow" variant="light">
            {TAB_TEXTS.hiddenFromSearch}
          </Alert>
        )}
        <div className={previewClasses.result}>
          <div className={previewClasses.address}>{showAddress(address)}</div>
          <div className={previewClasses.title}>{title}</div>
          <div className={previewClasses.description} data-missing={values.description === '' || undefined}>
            {values.description === '' ? TAB_TEXTS.noDescription : values.description}
          </div>
        </div>
        <div className={previewClasses.shared}>
          <div className={previewClasses.picture}>
            <IconPhoto size={22} aria-hidden />
            <span className={previewClasses.pictureText}>
              {values.og_image_alt === '' ? values.og_image_secure_url : values.og_image_alt}
            </span>
          </div>
          <div className={previewClasses.sharedText}>
            <div className={previewClasses.host}>{readHost(values.og_url === '' ? address : values.og_url)}</div>
            <div className={previewClasses.sharedTitle}>{values.og_title === '' ? title : values.og_title}</div>
            <div className={previewClasses.sharedDescription}>
              {values.og_description === '' ? values.description : values.og_description}
            </div>
          </div>
        </div>
      </Card>
    </div>
  );
}

/** `example.com › blog › hello` */
function showAddress(address: string | null): string {
  if (address === null || !URL.canParse(address)) return address ?? TAB_TEXTS.noAddress;
  const { host, pathname } = new URL(address);
  return [host, ...decodePath(pathname).split('/')].filter((part) => part !== '').join(' › ');
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function readHost(address: string | null): string {
  return address !== null && URL.canParse(address) ? new URL(address).host : TAB_TEXTS.noAddress;
}
