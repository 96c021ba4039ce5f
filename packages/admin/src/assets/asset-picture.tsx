// What can be seen of a file: the picture itself, or a sign with its ending where it is none or cannot be loaded.

import { IconFile, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './asset-picture.module.css';

interface AssetPictureProps {
  /** Undefined where the file is no picture. */
  readonly src: string | undefined;
  readonly extension: string;
  /** What the picture shows; empty where a name stands beside it. */
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
