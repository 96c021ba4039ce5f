// About what a search engine shows, and a chat that was sent the link. Pictures are not loaded: they lie elsewhere.

import type { ManagedContentBody } from '@galley/wire';
import { Alert } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { Card } from '../elements/card.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import classes from './search-preview.module.css';
import type { SeoValues } from './seo-values.ts';

interface SearchPreviewProps {
  readonly content: ManagedContentBody;
  /** As it is being written. */
  readonly name: string;
  readonly values: SeoValues;
}

export function SearchPreview({ content, name, values }: SearchPreviewProps) {
  const title = values.title === '' ? name : values.title;
  const address = values.canonical_url === '' ? content.url : values.canonical_url;
  return (
    <div className={classes.previews}>
      <Card title={HISTORY_TEXTS.previewHeading}>
        {/noindex|none/i.test(values.robots) && (
          <Alert color="yellow" variant="light">
            {HISTORY_TEXTS.hiddenFromSearch}
          </Alert>
        )}
        <div className={classes.result}>
          <div className={classes.address}>{showAddress(address)}</div>
          <div className={classes.title}>{title}</div>
          <div className={classes.description} data-missing={values.description === '' || undefined}>
            {values.description === '' ? HISTORY_TEXTS.noDescription : values.description}
          </div>
        </div>
        <div className={classes.shared}>
          <div className={classes.picture}>
            <IconPhoto size={22} aria-hidden />
            <span className={classes.pictureText}>
              {values.og_image_alt === '' ? values.og_image_secure_url : values.og_image_alt}
            </span>
          </div>
          <div className={classes.sharedText}>
            <div className={classes.host}>{readHost(values.og_url === '' ? address : values.og_url)}</div>
            <div className={classes.sharedTitle}>{values.og_title === '' ? title : values.og_title}</div>
            <div className={classes.sharedDescription}>
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
  if (address === null || !URL.canParse(address)) return address ?? HISTORY_TEXTS.noAddress;
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
  return address !== null && URL.canParse(address) ? new URL(address).host : HISTORY_TEXTS.noAddress;
}
