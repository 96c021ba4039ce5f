import type { ManagedAssetBody } from '@galley/wire';
import { Link } from '@tanstack/react-router';
import type { Selection } from '../lists/use-selection.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-grid.module.css';
import { AssetImage, listAssetFacts } from './asset-picture.tsx';

export interface AssetListProps {
  readonly site: string;
  readonly siteUrl: string | null;
  readonly assets: readonly ManagedAssetBody[];
  readonly selection: Selection<ManagedAssetBody>;
  /** Whether to show each asset's folder. True if the list may contain assets from several folders. */
  readonly showsFolders: boolean;
}

export function AssetGrid({ site, siteUrl, assets, selection, showsFolders }: AssetListProps) {
  return (
    <ul
      className={classes.grid}
      aria-label={ASSET_TEXTS.listTitle}
      data-selecting={selection.chosen.size > 0 || undefined}
    >
      {assets.map((asset, index) => (
        <li key={asset.id} className={classes.cell} data-selected={selection.has(asset.id) || undefined}>
          <Link to="/sites/$site/assets/$asset" params={{ site, asset: asset.id }} className={classes.card}>
            <span className={classes.frame}>
              <AssetImage asset={asset} siteUrl={siteUrl} size="thumbnail" />
            </span>
            <span className={classes.name}>{asset.name}</span>
            <span className={classes.facts}>{listAssetFacts(asset).join(' · ')}</span>
            {showsFolders && asset.folder !== '' && (
              <span className={classes.facts}>{ASSET_TEXTS.inFolder(asset.folder)}</span>
            )}
          </Link>
          <SelectBox asset={asset} index={index} selection={selection} className={classes.box} />
        </li>
      ))}
    </ul>
  );
}

interface SelectBoxProps {
  readonly asset: ManagedAssetBody;
  readonly index: number;
  readonly selection: Selection<ManagedAssetBody>;
  readonly className: string | undefined;
}

/** Selects an asset or, with Shift, a range that starts at the last selected asset. */
export function SelectBox({ asset, index, selection, className }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      className={className}
      aria-label={ASSET_TEXTS.selectOf(asset.name)}
      checked={selection.has(asset.id)}
      onChange={({ nativeEvent }) => {
        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        if (isRange) selection.toggleRange(index);
        else selection.toggle(index);
      }}
    />
  );
}
