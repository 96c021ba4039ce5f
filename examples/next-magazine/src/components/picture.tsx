import type { EditAttributes } from '@galley/preview';
import type { Asset } from '../lib/content.ts';
import { describePicture, type Shape } from '../lib/pictures.ts';

interface PictureProps {
  readonly asset: Asset | undefined;
  readonly shape: Shape;
  /** Whether the picture is at the top of the page. If so, browsers load it first. */
  readonly isFirst?: boolean;
  readonly edit?: EditAttributes;
}

export function Picture({ asset, shape, isFirst = false, edit = {} }: PictureProps) {
  if (asset === undefined) return null;
  const { alt, ...attributes } = describePicture(asset, shape);
  const loading = isFirst ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const };
  return <img {...attributes} {...loading} {...edit} alt={alt} className={`picture ${shape}`} />;
}
