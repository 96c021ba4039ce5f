import type { ManagedAssetBody } from '@galley/wire';
import { IconFile } from '@tabler/icons-react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './chosen-line.module.css';

const SMALL = new Intl.NumberFormat('en', { notation: 'compact', style: 'unit', unit: 'byte', unitDisplay: 'narrow' });

/** An asset in one line: its picture, its name, and what it is. */
export function AssetLine({ asset }: { readonly asset: ManagedAssetBody }) {
  const { name, url, is_image, mime_type, size, width, height } = asset;
  const facts = [
    mime_type,
    ...(width === null || height === null ? [] : [EDITOR_TEXTS.pixels(width, height)]),
    ...(size === 0 ? [] : [SMALL.format(size)]),
  ];
  return (
    <span className={classes.line}>
      <span className={classes.picture}>
        {is_image && !url.startsWith('/') ? (
          <img src={url} alt="" loading="lazy" />
        ) : (
          <IconFile size={18} stroke={1.5} aria-hidden />
        )}
      </span>
      <span className={classes.texts}>
        <span className={classes.name}>{name}</span>
        <span className={classes.small}>{facts.join(' · ')}</span>
      </span>
    </span>
  );
}
