// Plans the answer to a file request: the original or a variant, and the headers. It reads no bytes and generates no variants.

import { fail, ok, type Result } from '../content/result.ts';
import { buildAssetHeaders } from '../files/asset-headers.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import type { ReadyHead } from '../http/send-ready.ts';
import { canonicalKey } from '../images/canonical-key.ts';
import { IMAGE_PARAMETERS, type ImageParameters, parseImageParameters } from '../images/image-parameters.ts';
import { isSignedImageUrl } from '../images/image-signature.ts';
import { buildVariantName } from '../images/image-variants.ts';
import { type AcceptedFormat, FORMAT_TRAITS } from '../images/output-format.ts';
import { planImage } from '../images/plan-image.ts';
import type { AssetReads, ServedAsset } from '../storage/asset-reads.ts';
import type { AssetTarget } from './asset-target.ts';
import type { ImageWorkshop, Variant } from './image-workshop.ts';

/** While nothing about an asset changes, `find` returns the same object, so repeated requests are answered without planning again. */
export type AssetDirectory = Pick<AssetReads, 'find'>;

export interface PlannedAnswer {
  readonly asset: ServedAsset;
  /** Null for the original. */
  readonly variant: Variant | null;
  /** Identifies the bytes. */
  readonly name: string;
  readonly etag: string;
  /** Headers for every status: names and values, alternating. */
  readonly validators: readonly string[];
  /** Further headers for answers with a body, except the length of the body. */
  readonly description: readonly string[];
  /** Whether the site's owner has signed the URL. */
  readonly isSigned: boolean;
  /** Whether the answer depends only on the URL, the asset and the accepted formats. */
  readonly isRepeatable: boolean;
  /** The head of the answer with the whole file, once the file's length is known. */
  whole: { readonly bytes: number; readonly head: ReadyHead } | undefined;
}

export interface PlanningContext {
  readonly directory: AssetDirectory;
  readonly workshop: ImageWorkshop;
}

/** The types that are transformed. All others are served unchanged, whatever the parameters. */
const TRANSFORMED: ReadonlySet<string> = new Set(
  ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff', 'heic', 'heif'].map((name) => `image/${name}`),
);

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, no-cache';

/** Must be greater than the number of digits at the start of a variant's name that identify the original. */
const ETAG_DIGITS = 48;

export function isTransformed({ query }: AssetTarget, { type }: ServedAsset): boolean {
  return query !== '' && TRANSFORMED.has(type);
}

export function planOriginal(target: AssetTarget, asset: ServedAsset): PlannedAnswer {
  const { sha256, type, fileName } = asset;
  return buildAnswer(target, asset, { variant: null, name: sha256, type, fileName });
}

export async function planTransformed(
  target: AssetTarget,
  asset: ServedAsset,
  accepted: ReadonlySet<AcceptedFormat>,
  context: PlanningContext,
): Promise<Result<PlannedAnswer, Problem>> {
  const pairs = [...new URLSearchParams(target.query)];
  const parsed = parseImageParameters(pairs, asset.presets);
  if (!parsed.ok) return fail(invalidParameter(parsed.problem));
  const parameters = parsed.value;
  // None of the parameters change anything; unknown ones are ignored.
  if (canonicalKey(parameters) === '') return ok(planOriginal(target, asset));
  const isSigned = pairs.some(([name]) => name === 's') && isSignedImageUrl(asset.signatureKey, target.path, pairs);
  if (asset.imageAccess === 'signed' && !isSigned && !namesOnlyPresets(pairs)) {
    return fail(PROBLEMS.imageSignatureNeeded);
  }
  const source = await context.workshop.readSource(asset.sha256);
  if (!source.ok) return source;
  const mark = await findMark(parameters, asset.siteId, isSigned, context.directory);
  const markSource = mark === null ? ok(null) : await context.workshop.readSource(mark.sha256);
  if (!markSource.ok) return markSource;
  const { focalPoint, sha256 } = asset;
  const plan = planImage(parameters, source.value, { focalPoint, mark: markSource.value, accepted });
  if (!plan.ok) return fail(invalidParameter(plan.problem));
  // A mark that lies outside the picture is not visible.
  const markFile = plan.value.mark === null ? null : (mark?.sha256 ?? null);
  const name = buildVariantName(plan.value, sha256, markFile);
  const { mediaType, extension } = FORMAT_TRAITS[plan.value.format];
  const answer = buildAnswer(target, asset, {
    variant: { name, plan: plan.value, picture: sha256, mark: markFile },
    name,
    type: mediaType,
    fileName: `${asset.fileName.replace(/\.[^.]*$/, '')}.${extension}`,
    vary: parameters.format === 'auto' ? ['vary', 'Accept'] : [],
    isSigned,
    isRepeatable: parameters.mark === null,
  });
  return ok(answer);
}

function namesOnlyPresets(pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.every(([name]) => name === 'p' || name === 's' || !IMAGE_PARAMETERS.has(name));
}

/** Null if the request has no mark, or is not allowed to use it. */
async function findMark(
  { mark }: ImageParameters,
  siteId: string,
  isSigned: boolean,
  directory: AssetDirectory,
): Promise<ServedAsset | null> {
  if (mark === null) return null;
  const asset = await directory.find(siteId, mark.assetId);
  return asset !== undefined && (asset.isShown || isSigned) && TRANSFORMED.has(asset.type) ? asset : null;
}

interface AnswerParts {
  readonly variant: Variant | null;
  readonly name: string;
  readonly type: string;
  readonly fileName: string;
  readonly vary?: readonly string[];
  readonly isSigned?: boolean;
  readonly isRepeatable?: boolean;
}

function buildAnswer(
  { version }: AssetTarget,
  asset: ServedAsset,
  { variant, name, type, fileName, vary = [], isSigned = false, isRepeatable = true }: AnswerParts,
): PlannedAnswer {
  const etag = `"${name.slice(0, ETAG_DIGITS)}"`;
  // Every response already has `nosniff`.
  const { 'x-content-type-options': _, ...headers } = buildAssetHeaders(type, fileName.toWellFormed());
  return {
    asset,
    variant,
    name,
    etag,
    validators: ['etag', etag, 'cache-control', version === asset.version ? IMMUTABLE : REVALIDATED, ...vary, ...OPEN],
    description: [...Object.entries(headers).flat(), 'accept-ranges', 'bytes'],
    isSigned,
    isRepeatable,
    whole: undefined,
  };
}

/** Pages from any origin may show files. */
const OPEN = [...['cross-origin-resource-policy', 'cross-origin'], ...['timing-allow-origin', '*']];
