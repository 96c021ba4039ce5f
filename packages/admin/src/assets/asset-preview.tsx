import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './asset-form.module.css';
import { AssetPicture } from './asset-picture.tsx';
import type { AssetValues } from './asset-values.ts';

interface AssetPreviewProps {
  readonly address: string;
  readonly values: AssetValues;
  readonly onSeen: (size: { readonly width: number; readonly height: number }) => void;
}

export function AssetPreview({ address, values, onSeen }: AssetPreviewProps) {
  const { mime_type: mediaType, width, height, description, name } = values;
  const isPicture = address !== '' && (mediaType === '' || mediaType.startsWith('image/'));
  // A drawing has no size of its own that says anything.
  const isDrawing = /^data:image\/svg|\.svg$/i.test(address) || mediaType === 'image/svg+xml';
  return (
    <figure className={classes.preview} aria-label={ASSET_TEXTS.preview}>
      <div className={classes.frame}>
        <AssetPicture
          key={address}
          src={isPicture ? address : undefined}
          extension={/\.(\w{1,8})$/.exec(address)?.[1] ?? ''}
          alt={description === '' ? name : description}
          isWhole
          onSeen={isDrawing ? () => undefined : onSeen}
        />
      </div>
      <figcaption className={classes.caption}>
        <span>
          {typeof width === 'number' && typeof height === 'number' ? ASSET_TEXTS.dimensions(width, height) : mediaType}
        </span>
        {/^https?:/i.test(address) && (
          <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
            {ASSET_TEXTS.open} <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
      </figcaption>
    </figure>
  );
}
