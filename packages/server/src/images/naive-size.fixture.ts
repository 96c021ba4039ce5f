// The size that a picture has according to the documentation, computed without the image API's code.

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface NaiveOriginal {
  /** The size as a viewer sees it. */
  readonly viewed: Size;
  /** Whether viewers rotate the stored pixels by 90 degrees. */
  readonly isSideways: boolean;
}

/** @param query a query that the API has accepted */
export function findNaiveSize(query: string, { viewed, isSideways }: NaiveOriginal): Size {
  const given = new URLSearchParams(query);
  const [cropWidth, cropHeight] = given.get('crop')?.split(',').map(Number) ?? [];
  const cropped = { width: cropWidth ?? viewed.width, height: cropHeight ?? viewed.height };
  const rotation = given.get('or') ?? 'auto';
  const hasTurned = rotation !== 'auto' && isSideways !== (rotation === '90' || rotation === '270');
  const picture = hasTurned ? { width: cropped.height, height: cropped.width } : cropped;
  return addBorder(given.get('border'), resize(given, picture));
}

function resize(given: URLSearchParams, picture: Size): Size {
  const fit = given.get('fit') ?? 'contain';
  const [width, height] = ['w', 'h'].map((name) => {
    const side = given.get(name);
    return side === null ? undefined : Math.round(Number(side) * Number(given.get('dpr') ?? 1));
  });
  if (width === undefined && height === undefined) return picture;
  const isBoxExact = fit.startsWith('fill') || fit === 'stretch' || fit.startsWith('crop') || fit.startsWith('cover');
  if (width !== undefined && height !== undefined && isBoxExact) return { width, height };
  const fitsAlready = picture.width <= (width ?? picture.width) && picture.height <= (height ?? picture.height);
  // `fill` does not enlarge the picture either, but adds padding.
  if (fit === 'max' && fitsAlready) return picture;
  const ofWidth = width === undefined ? Number.POSITIVE_INFINITY : width / picture.width;
  const ofHeight = height === undefined ? Number.POSITIVE_INFINITY : height / picture.height;
  return ofWidth <= ofHeight
    ? { width: width ?? 0, height: roundSide(((width ?? 0) * picture.height) / picture.width) }
    : { width: roundSide(((height ?? 0) * picture.width) / picture.height), height: height ?? 0 };
}

function roundSide(side: number): number {
  return Math.max(1, Math.round(side));
}

/** Only this border method changes the size. */
function addBorder(border: string | null, { width, height }: Size): Size {
  const [amount = '', , method] = border?.split(',') ?? [];
  if (method !== 'expand') return { width, height };
  const percent = Number.parseFloat(amount) / 100;
  const added = amount.endsWith('w')
    ? Math.round(width * percent)
    : amount.endsWith('h')
      ? Math.round(height * percent)
      : Number(amount);
  return { width: width + 2 * added, height: height + 2 * added };
}
