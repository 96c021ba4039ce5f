// One key for each transformation.

import { formatColour } from './colour.ts';
import type { ImageParameters, MarkParameters } from './image-parameters.ts';
import type { Fit, Length } from './parameter-values.ts';

/** Returns the same key for equal transformations, however they are written in the URL. */
export function canonicalKey(parameters: ImageParameters): string {
  const { border, crop, mark } = parameters;
  const values: readonly (readonly [name: string, value: string | number | null, unset: string | number | null])[] = [
    ['bg', parameters.background && formatColour(parameters.background), null],
    ['blur', parameters.blur, 0],
    ['border', border && `${formatLength(border.width)},${formatColour(border.colour)},${border.method}`, null],
    ['bri', parameters.brightness, 0],
    ['con', parameters.contrast, 0],
    ['crop', crop && `${crop.width},${crop.height},${crop.left},${crop.top}`, null],
    ['filt', parameters.filter, null],
    ['fit', formatFit(parameters.fit), 'contain'],
    ['flip', parameters.flip, null],
    ['fm', parameters.format, null],
    ['gam', parameters.gamma, 1],
    ['h', parameters.height, null],
    ['mark', mark && formatMark(mark), null],
    ['or', parameters.rotation, 'auto'],
    ['pixel', parameters.blockSize, 0],
    ['q', parameters.quality, null],
    ['sharp', parameters.sharpness, 0],
    ['w', parameters.width, null],
  ];
  return values
    .filter(([, value, unset]) => value !== unset)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function formatFit(fit: Fit): string {
  if (fit.kind !== 'crop') return fit.kind;
  return fit.at === null ? 'crop' : `crop-${fit.at.x}-${fit.at.y}-${fit.zoom}`;
}

function formatLength({ amount, unit }: Length): string {
  return `${amount}${unit === 'pixels' ? '' : unit.charAt(0)}`;
}

function formatMark(mark: MarkParameters): string {
  const side = (length: Length | null): string => (length === null ? '' : formatLength(length));
  const { position } = mark;
  return [
    ...[mark.assetId, side(mark.width), side(mark.height), formatFit(mark.fit), formatLength(mark.offsetX)],
    ...[formatLength(mark.offsetY), `${position.x}-${position.y}`, mark.opacity],
  ].join(',');
}
