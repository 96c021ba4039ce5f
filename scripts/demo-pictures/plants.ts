// A herbarium of plants that yield dyes.

import { at, circle, drawPaper, INK, lift, line, type Picture, paint, path, rect, round } from './paper.ts';
import { createRandom } from './random.ts';

const plants = drawPaper({
  file: 'dye-plants.jpg',
  width: 1600,
  height: 2000,
  units: 88,
  light: { x: 30, y: 12, strength: 0.5 },
  layers: [
    paint(rect('#f3e6cc', -2, -2, 92, 114)),
    lift(1, path('#ead7b6', 'M-2 84q22-6 46-2t46-3v34H-2z')),
    lift(1, circle('#f0d9a8', 62, 24, 17)),
    lift(2, line('#3c6e57', 0.9, 'M18 100Q17 62 20 28')),
    lift(3, ...leafPairs(18.5, 92, 34, 8, '#3f7d66', 14)),
    lift(4, ...flower(20, 24, 14, INK.red, 11.5)),
    lift(3, circle(INK.night, 20, 24, 3.8), ...ring(20, 24, 5, 16, INK.gold, 0.6)),
    lift(2, line('#55794f', 0.9, 'M44 102Q46 60 43 14')),
    lift(3, ...leafPairs(44.8, 96, 52, 7, INK.moss, 15)),
    lift(3, ...weld(43, 12)),
    lift(2, line('#2f6f73', 0.9, 'M70 101Q68 66 71 40')),
    lift(3, ...leafPairs(69.3, 94, 48, 8, INK.teal, 14)),
    lift(4, ...umbel(71, 40)),
    lift(2, line('#6f9379', 0.6, 'M31 104q-2-14 0-26M57 104q3-12 1-22M82 105q-3-12-1-20M6 104q2-10 0-20')),
    lift(
      3,
      ...[
        [31, 78],
        [58, 82],
        [81, 85],
        [6, 84],
      ].flatMap(([x = 0, y = 0]) => [...flower(x, y, 7, INK.blush, 3.2), circle(INK.ochre, x, y, 1.1)]),
    ),
    lift(5, path('#2b3a33', 'M-2 101q14-3 26-1t24-1 22 1 20-1v14H-2z')),
    lift(4, path('#1f2a37', 'M-2 106q24-3 46-1t46-1v10H-2z')),
  ],
});

function leafPairs(
  x: number,
  from: number,
  to: number,
  count: number,
  fill: string,
  length: number,
): readonly string[] {
  const leaf =
    path(
      fill,
      `M0 0q${length * 0.5} ${-length * 0.42} ${length} ${-length * 0.12}q${-length * 0.42} ${length * 0.5} ${-length} ${length * 0.12}z`,
    ) +
    line('#ffffff', 0.18, `M.8 -.1q${length * 0.5} ${-length * 0.1} ${length * 0.8} ${-length * 0.1}`, 'opacity=".3"');
  return Array.from({ length: count }, (_, index) => {
    const y = from + ((to - from) * index) / (count - 1);
    const size = 1 - (index / count) * 0.5;
    const mirrored = `<g transform="scale(-1 1)">${leaf}</g>`;
    return at(x + (index / count) * 1.2, y, index % 2 ? leaf : mirrored, index % 2 ? -14 : 14, size);
  });
}

function flower(x: number, y: number, petals: number, fill: string, radius: number): readonly string[] {
  return Array.from({ length: petals }, (_, index) =>
    at(
      x,
      y,
      path(fill, `M0 0q${radius * 0.34} ${-radius * 0.5} 0 ${-radius}q${-radius * 0.34} ${radius * 0.5} 0 ${radius}z`),
      (360 / petals) * index,
    ),
  );
}

function ring(x: number, y: number, radius: number, count: number, fill: string, size: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const turn = (2 * Math.PI * index) / count;
    return circle(fill, x + Math.cos(turn) * radius, y + Math.sin(turn) * radius, size);
  });
}

/** A tall head of small yellow flowers. */
function weld(x: number, y: number): readonly string[] {
  const random = createRandom(6);
  return Array.from({ length: 74 }, (_, index) => {
    const down = (index / 74) * 34;
    const spread = 1 + down * 0.15;
    return circle(
      random.pick([INK.ochre, INK.gold, '#d9932b']),
      x + random.between(-spread, spread) + down * 0.05,
      y - 3 + down,
      random.between(1, 2),
    );
  });
}

function umbel(x: number, y: number): readonly string[] {
  return [-66, -44, -22, 0, 22, 44, 66].flatMap((turn) => {
    const radians = ((turn - 90) * Math.PI) / 180;
    const [tipX, tipY] = [x + Math.cos(radians) * 13, y + Math.sin(radians) * 13];
    return [
      line('#2f6f73', 0.5, `M${x} ${y}L${round(tipX)} ${round(tipY)}`),
      circle(INK.sky, tipX, tipY, 2.7),
      ...ring(tipX, tipY, 1.5, 7, INK.teal, 0.55),
      circle(INK.white, tipX, tipY, 0.7),
    ];
  });
}

export const PLANTS: readonly Picture[] = [plants];
