// Shows an asset: the picture itself, or an icon if the file is not a picture or cannot be loaded, and a few details.

import type { ManagedAssetBody } from '@galley/wire';
import { IconFile, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-picture.module.css';

interface AssetPictureProps {
  /** Undefined if the file is not a picture. */
  readonly src: string | undefined;
  readonly extension: string;
  /** The alt text; empty if the picture's name is shown beside it. */
  readonly alt: string;
  readonly isWhole?: boolean;
  readonly onSeen?: (size: { readonly width: number; readonly height: number }) => void;
}

export function AssetPicture({ src, extension, alt, isWhole = false, onSeen }: AssetPictureProps) {
  const [missing, setMissing] = useState<string>();
  if (src === undefined || src === missing) {
    const Icon = src === undefined ? IconFile : IconPhotoOff;
    return (
      <span className={classes.sign}>
        <Icon size={28} stroke={1.4} aria-hidden />
        {extension !== '' && <span className={classes.extension}>{extension}</span>}
      </span>
    );
  }
  return (
    <img
      className={classes.picture}
      data-whole={isWhole || undefined}
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onLoad={({ currentTarget }) =>
        onSeen?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
      onError={() => setMissing(src)}
    />
  );
}

/** The known details of an asset, such as `PNG`, `800 × 600` and `12 kB`. */
export function listAssetFacts(asset: ManagedAssetBody): readonly string[] {
  const { extension, mime_type: mediaType, width, height, size } = asset;
  return [
    extension === '' ? mediaType : extension.toUpperCase(),
    ...(width === null || height === null ? [] : [ASSET_TEXTS.dimensions(width, height)]),
    ...(size === 0 ? [] : [formatBytes(size)]),
  ];
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1000;

function formatBytes(size: number): string {
  const power = Math.min(UNITS.length - 1, size < STEP ? 0 : Math.floor(Math.log10(size) / 3));
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(size / STEP ** power);
}
