// The targets for files and images.

import { median, medianRatio } from '../report/median.ts';
import { type Bar, judge, type Measurement, type Verdict } from '../report/verdict.ts';
import type { ImageFigures, Pair } from './measure-images.ts';

const SECTIONS = {
  sharp: 'New images: speed as a multiple of bare sharp at the same concurrency',
  ipx: 'Images: speed as a multiple of ipx',
  repeated: 'Repeated images: speed as a multiple of node:http streaming the same file',
  content: 'Repeated content requests while images are being made, compared with when none are',
  memory: 'Memory while 24-megapixel originals are waiting',
  upload: 'Uploads: speed as a multiple of node:http piping to a file',
} as const;

const TASK = '2725 × 2225 JPEG to about 720 wide';

export function judgeImages(figures: ImageFigures): readonly Verdict[] {
  const { cold, ipx, repeated, content, memory, upload } = figures;
  return [
    ...(cold === undefined
      ? []
      : [
          compare(SECTIONS.sharp, `${TASK}, JPEG`, cold.jpg, { relation: '≥', value: 0.9 }),
          compare(SECTIONS.sharp, `${TASK}, WebP`, cold.webp, { relation: '≥', value: 0.9 }),
        ]),
    ...(ipx === undefined
      ? []
      : [
          compare(SECTIONS.ipx, `${TASK}, new`, ipx.cold, { relation: '≥', value: 1 }),
          compare(SECTIONS.ipx, `${TASK}, repeated`, ipx.repeated, { relation: '≥', value: 3 }),
        ]),
    ...(repeated === undefined
      ? []
      : [compare(SECTIONS.repeated, `${formatKb(repeated.bytes)} JPEG`, repeated, { relation: '≥', value: 0.8 })]),
    ...(content === undefined
      ? []
      : [
          compare(SECTIONS.content, 'list of 20, throughput', content.perSecond, { relation: '≥', value: 0.5 }),
          compare(SECTIONS.content, 'list of 20, p50', content.p50Ms, { relation: '≤', value: 2.5 }, 'ms'),
        ]),
    ...(memory === undefined
      ? []
      : [
          judgeMemory(`the service, ${memory.originals} originals`, memory.serviceMb, 250),
          judgeMemory(`the image processes together, ${memory.originals} originals`, memory.imagesMb, 600),
        ]),
    ...(upload === undefined
      ? []
      : [compare(SECTIONS.upload, formatMb(upload.bytes), upload, { relation: '≥', value: 0.5 }, 'MB/s')]),
  ];
}

function compare(section: string, what: string, pair: Pair, bar: Bar, unit: Measurement['unit'] = '/s'): Verdict {
  const { figures, yardsticks } = pair;
  const ratio = medianRatio(figures, yardsticks);
  return judge({ section, what, figure: median(figures), unit, yardstick: median(yardsticks), ratio, bar });
}

function judgeMemory(what: string, figure: number, most: number): Verdict {
  return judge({ section: SECTIONS.memory, what, figure, unit: 'MB', bar: { relation: '<', value: most } });
}

function formatKb(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`;
}

function formatMb(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}
