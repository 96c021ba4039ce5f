// Shows an asset as a picture, or as an icon if the file is not a picture or cannot be loaded, with a few details.

import type { ManagedAssetBody } from '@galley/wire';
import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhotoOff,
} from '@tabler/icons-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { findFileAddress, findPictureAddress } from './asset-address.ts';
import classes from './asset-picture.module.css';
import { formatBytes } from './format-bytes.ts';

interface AssetImageProps {
  readonly asset: ManagedAssetBody;
  readonly siteUrl: string | null;
  readonly size: 'thumbnail' | 'preview';
  /** The alt text; empty if the picture's name is shown beside it. */
  readonly alt?: string;
}

/** Shows an asset's picture at a suitable size, and a blurred placeholder until it has loaded. */
export function AssetImage({ asset, siteUrl, size, alt = '' }: AssetImageProps) {
  const file = asset.is_image ? findFileAddress(asset, siteUrl) : undefined;
  const smaller = findPictureAddress(asset, size);
  return (
    <AssetPicture
      // When a file is replaced, the loading state of the old file no longer applies.
      key={asset.url}
      sources={[smaller, file].filter((source) => source !== undefined)}
      mediaType={asset.mime_type}
      extension={asset.extension}
      alt={alt}
      isWhole={size === 'preview'}
      colour={asset.colour}
      placeholder={asset.placeholder}
    />
  );
}

interface AssetPictureProps {
  /** Empty if the file is not a picture. Later sources are used if earlier ones cannot be loaded. */
  readonly sources: readonly string[];
  readonly mediaType: string;
  readonly extension: string;
  readonly alt: string;
  readonly isWhole?: boolean;
  readonly colour?: string | null;
  readonly placeholder?: string | null;
  readonly onSeen?: (size: { readonly width: number; readonly height: number }) => void;
}

export function AssetPicture(props: AssetPictureProps) {
  const { sources, mediaType, extension, alt, isWhole = false, colour = null, placeholder = null, onSeen } = props;
  const [src, onError] = useSources(sources);
  const [isShown, setIsShown] = useState(false);
  const ground = usePlaceholder(colour, placeholder);
  if (src === undefined) {
    const Icon = sources.length > 0 ? IconPhotoOff : findIcon(mediaType);
    return (
      <span className={classes.sign}>
        <Icon size={28} stroke={1.4} aria-hidden />
        {extension !== '' && <span className={classes.extension}>{extension}</span>}
      </span>
    );
  }
  return (
    <span
      className={classes.ground}
      style={isShown || isWhole ? {} : { ...ground, backgroundPosition: 'center', backgroundSize: 'cover' }}
    >
      <img
        className={classes.picture}
        data-whole={isWhole || undefined}
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onLoad={({ currentTarget }) => {
          setIsShown(true);
          onSeen?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
        }}
        onError={onError}
      />
    </span>
  );
}

/**
 * Returns the first source that can be loaded (or undefined), and the handler for the picture's `error` event. A smaller picture may be
 * missing because the service was too busy to generate it.
 */
export function useSources(sources: readonly string[]): readonly [src: string | undefined, onError: () => void] {
  const [missing, setMissing] = useState<readonly string[]>([]);
  const src = sources.find((source) => !missing.includes(source));
  return [src, () => setMissing((known) => (src === undefined ? known : [...known, src]))];
}

/** The style that shows a picture's placeholder until the picture has loaded. */
export function usePlaceholder(colour: string | null, placeholder: string | null): CSSProperties {
  return useMemo(() => {
    const blurred = placeholder === null ? undefined : decodePlaceholder(placeholder);
    return {
      ...(colour === null ? {} : { backgroundColor: colour }),
      ...(blurred === undefined ? {} : { backgroundImage: `url(${blurred})`, backgroundSize: '100% 100%' }),
    };
  }, [colour, placeholder]);
}

/** Undefined if the hash cannot be read. */
function decodePlaceholder(hash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(hash), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function findIcon(mediaType: string): typeof IconFile {
  if (mediaType.startsWith('video/')) return IconMovie;
  if (mediaType.startsWith('audio/')) return IconMusic;
  if (mediaType.startsWith('text/')) return IconFileText;
  if (mediaType === 'application/pdf') return IconFileTypePdf;
  return /zip|compressed|tar/.test(mediaType) ? IconFileZip : IconFile;
}

/** The known details of an asset, such as `PNG`, `800 × 600` and `12 kB`. */
export function listAssetFacts(asset: ManagedAssetBody): readonly string[] {
  const { width, height, size } = asset;
  return [
    nameFileType(asset),
    ...(width === null || height === null ? [] : [ASSET_TEXTS.dimensions(width, height)]),
    ...(size === 0 ? [] : [formatBytes(size)]),
  ];
}

/** Such as `PNG`. */
export function nameFileType({ extension, mime_type: mediaType }: ManagedAssetBody): string {
  return extension === '' ? mediaType : extension.toUpperCase();
}
