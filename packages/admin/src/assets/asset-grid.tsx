import type { ManagedAssetBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-grid.module.css';
import { AssetPicture } from './asset-picture.tsx';
import { listAssetFacts } from './list-asset-facts.ts';
import { resolveAddress } from './resolve-address.ts';

interface AssetGridProps {
  readonly site: string;
  readonly siteUrl: string | null;
  readonly assets: readonly ManagedAssetBody[];
}

export function AssetGrid({ site, siteUrl, assets }: AssetGridProps) {
  return (
    <ul className={classes.grid} aria-label={ASSET_TEXTS.listTitle}>
      {assets.map((asset) => (
        <li key={asset.id} className={classes.cell}>
          <Link to="/sites/$site/assets/$asset" params={{ site, asset: asset.id }} className={classes.card}>
            <span className={classes.frame}>
              <AssetPicture
                src={asset.is_image ? resolveAddress(asset.url, siteUrl) : undefined}
                extension={asset.extension}
                alt=""
              />
            </span>
            <span className={classes.name}>{asset.name}</span>
            <span className={classes.facts}>{listAssetFacts(asset).join(' · ')}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
