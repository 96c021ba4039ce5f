import type { ManagedAssetBody } from '@galley/wire';
import { IconFile } from '@tabler/icons-react';
import { listAssetFacts } from '../../assets/asset-picture.tsx';
import classes from './chosen-line.module.css';

/** An asset in one line: its picture, its name, and what it is. */
export function AssetLine({ asset }: { readonly asset: ManagedAssetBody }) {
  const { name, url, is_image } = asset;
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
        <span className={classes.small}>{listAssetFacts(asset).join(' · ')}</span>
      </span>
    </span>
  );
}
