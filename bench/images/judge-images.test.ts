import { expect, test } from 'vitest';
import { judgeImages } from './judge-images.ts';

const same = { figures: [10, 20, 30], yardsticks: [10, 20, 30] };
const half = { figures: [5, 10, 15], yardsticks: [10, 20, 30] };

test('every row has its own target', () => {
  const verdicts = judgeImages({
    cold: { jpg: same, webp: half },
    ipx: { cold: same, repeated: same },
    repeated: { ...same, bytes: 60_400 },
    content: { perSecond: half, p50Ms: { figures: [3], yardsticks: [1] } },
    memory: { originals: 32, serviceMb: 249, imagesMb: 600 },
    upload: { ...half, bytes: 1_000_000_000 },
  });
  expect(verdicts.map(({ what, holds }) => [what, holds])).toEqual([
    ['2725 × 2225 JPEG to about 720 wide, JPEG', true],
    ['2725 × 2225 JPEG to about 720 wide, WebP', false],
    ['2725 × 2225 JPEG to about 720 wide, new', true],
    ['2725 × 2225 JPEG to about 720 wide, repeated', false],
    ['60 KB JPEG', true],
    ['list of 20, throughput', true],
    ['list of 20, p50', false],
    ['the service, 32 originals', true],
    ['the image processes together, 32 originals', false],
    ['1,000 MB', true],
  ]);
});

test('rows that were not measured are left out', () => {
  expect(judgeImages({})).toEqual([]);
});
