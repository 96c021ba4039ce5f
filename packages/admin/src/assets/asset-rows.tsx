// The assets as a table. On narrow screens, only their names, types and sizes are shown.

import { Link } from '@tanstack/react-router';
import { TimeText } from '../elements/time-text.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { type AssetListProps, SelectBox } from './asset-grid.tsx';
import { AssetImage, nameFileType } from './asset-picture.tsx';
import classes from './asset-rows.module.css';
import { formatBytes } from './format-bytes.ts';

export function AssetRows({ site, siteUrl, assets, selection, showsFolders }: AssetListProps) {
  const isAll = assets.every(({ id }) => selection.has(id));
  const { columns } = ASSET_TEXTS;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={ASSET_TEXTS.listTitle}>
        <thead>
          <tr>
            <td className={classes.check}>
              <input
                type="checkbox"
                className={classes.box}
                aria-label={ASSET_TEXTS.selectAll}
                checked={isAll}
                ref={(box) => {
                  if (box !== null) box.indeterminate = !isAll && selection.chosen.size > 0;
                }}
                onChange={isAll ? selection.clear : selection.chooseAll}
              />
            </td>
            <th scope="col">{columns.name}</th>
            {showsFolders && (
              <th scope="col" className={classes.extra}>
                {columns.folder}
              </th>
            )}
            <th scope="col">{columns.type}</th>
            <th scope="col" className={classes.extra}>
              {columns.dimensions}
            </th>
            <th scope="col" className={classes.number}>
              {columns.size}
            </th>
            <th scope="col" className={classes.extra}>
              {columns.added}
            </th>
          </tr>
        </thead>
        <tbody>
          {assets.map((asset, index) => (
            <tr key={asset.id} data-selected={selection.has(asset.id) || undefined}>
              <td className={classes.check}>
                <SelectBox asset={asset} index={index} selection={selection} className={classes.box} />
              </td>
              <th scope="row">
                <Link to="/sites/$site/assets/$asset" params={{ site, asset: asset.id }} className={classes.link}>
                  <span className={classes.picture}>
                    <AssetImage asset={asset} siteUrl={siteUrl} size="thumbnail" />
                  </span>
                  <span className={classes.name}>{asset.name}</span>
                </Link>
              </th>
              {showsFolders && <td className={classes.extra}>{asset.folder}</td>}
              <td>{nameFileType(asset)}</td>
              <td className={classes.extra}>
                {asset.width !== null && asset.height !== null && ASSET_TEXTS.dimensions(asset.width, asset.height)}
              </td>
              <td className={classes.number}>{asset.size > 0 && formatBytes(asset.size)}</td>
              <td className={classes.extra}>{asset.created_at !== null && <TimeText value={asset.created_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
