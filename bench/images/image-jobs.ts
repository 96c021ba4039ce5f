// The images that a round requests. Every server gets the same jobs, and no round repeats a job from another round.

export interface ImageJob {
  readonly width: number;
  readonly quality: number;
  readonly format: 'jpg' | 'webp';
}

const MIDDLE_WIDTH = 720;
const FIRST_QUALITY = 80;

/** Returns one JPEG image and one WebP image for each of `count` widths around 720. */
export function listJobs(round: number, count: number): readonly ImageJob[] {
  const first = MIDDLE_WIDTH - Math.floor(count / 2);
  return Array.from({ length: count }, (_, index) => first + index).flatMap((width): ImageJob[] => [
    { width, quality: FIRST_QUALITY + round, format: 'jpg' },
    { width, quality: FIRST_QUALITY + round, format: 'webp' },
  ]);
}

export function buildQuery({ width, quality, format }: ImageJob): string {
  return `w=${width}&q=${quality}&fm=${format}`;
}

/** The path of an image on the ipx server. */
export function buildIpxPath({ width, quality, format }: ImageJob, file: string): string {
  return `/w_${width},q_${quality},f_${format === 'jpg' ? 'jpeg' : format}/${file}`;
}
