// The valley, the bridge and the harbour.

import {
  at,
  circle,
  drawPaper,
  gradient,
  INK,
  lift,
  line,
  type Picture,
  paint,
  path,
  press,
  rect,
  round,
} from './paper.ts';
import { createNoise, createRandom } from './random.ts';

/** The outline of hills from the left edge to the right, closed below the picture. */
function ridge(seed: number, top: number, swell: number, wavelength: number, width = 120, bottom = 95): string {
  const noise = createNoise(seed);
  const points: string[] = [];
  for (let x = -4; x <= width + 4; x += 1.5) points.push(`${round(x)} ${round(top + noise(x / wavelength) * swell)}`);
  return `M-4 ${bottom}L${points.join('L')}L${width + 4} ${bottom}z`;
}

function poplar(fill: string, height: number): string {
  const half = height * 0.13;
  return (
    path(INK.night, `M-.18 0h.36v${round(-height * 0.3)}h-.36z`) +
    path(
      fill,
      `M0 ${round(-height)}q${round(half * 1.4)} ${round(height * 0.45)} ${round(half)} ${round(height * 0.72)}q${round(-half)} ${round(height * 0.14)} ${round(-half * 2)} 0q${round(-half * 0.4)} ${round(-height * 0.27)} ${round(half)} ${round(-height * 0.72)}z`,
    )
  );
}

function bird(x: number, y: number, size: number): string {
  return line(
    INK.night,
    0.45,
    `M${x} ${y}q${size * 0.5} ${-size * 0.55} ${size} 0q${size * 0.5} ${-size * 0.55} ${size} 0`,
  );
}

const mill = drawPaper({
  file: 'mill-in-the-valley.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 66, y: 30, strength: 0.75 },
  definitions: `${gradient('air', '#f7dcc0', '#eeb695')}`,
  layers: [
    paint(rect('url(#air)', -2, -2, 124, 84)),
    lift(1, circle('#f3c39a', 80, 31, 25)),
    lift(2, circle('#eb9a66', 80, 31, 19)),
    lift(3, circle(INK.red, 80, 31, 13)),
    lift(1, path('#f4d3ba', ridge(21, 37, 9, 26))),
    lift(2, path('#e0bd9d', ridge(5, 43, 7, 24))),
    lift(3, path('#bdbf98', ridge(34, 48, 7, 30))),
    lift(3, path('#8fa983', ridge(8, 54, 6, 34))),
    lift(
      2,
      ...[5, 9, 12.5, 97, 102, 106, 110].map((x, index) =>
        at(x, 57 + (index % 3), poplar('#4e8272', 9 + (index % 3) * 2)),
      ),
    ),
    lift(4, path('#5c8f7c', ridge(12, 61, 4.5, 38))),
    lift(3, path(INK.white, 'M33 51.500h15v12H33z'), path('#e9d9c2', 'M42 51.500h6v12h-6z')),
    lift(3, path(INK.brick, 'M44 48.500v-5h2.600v7z'), path(INK.red, 'M30.500 52.500l10-8.500 10 8.500z')),
    press(
      path(INK.night, 'M36.600 57.500q1.900-2.800 3.800 0v6h-3.800z'),
      rect(INK.ochre, 44, 55, 2.4, 2.8),
      rect(INK.ochre, 34, 54.4, 1.8, 2.4),
    ),
    lift(4, path('#3f7d76', ridge(63, 66.5, 3.5, 40))),
    lift(
      2,
      path(INK.sky, 'M52 63.500q6 1 11 3.500t3 6 7 7 14 10H50q5-5 3-9t-1-8-2-7z'),
      line(INK.white, 0.35, 'M57 67q5 2 5.500 5M59 76q4 3 8 5', 'opacity=".8"'),
    ),
    lift(
      2,
      circle('none', 52, 60.5, 4.8, `stroke="${INK.ochre}" stroke-width="1.1"`),
      ...[0, 30, 60, 90, 120, 150].map((turn) => at(52, 60.5, line(INK.ochre, 0.6, 'M0 -5.800V5.800'), turn)),
      circle(INK.wood, 52, 60.5, 1),
    ),
    lift(
      3,
      ...[8, 14, 20, 91, 98, 112].map((x, index) =>
        at(x, 76 + (index % 2) * 3, poplar(index % 2 ? '#23565c' : '#2a6165', 15 + (index % 3) * 4)),
      ),
    ),
    lift(
      4,
      path('#275e63', 'M-4 95V71q14-3 26 2t20 4 10 8v10z'),
      path('#275e63', 'M124 95V70q-12-2-22 3t-16 5-10 7v10z'),
    ),
    lift(5, path(INK.night, 'M-4 95V77.500q16-2 30 1.500t14 16zM124 95V77q-16-1-24 2t-18 6v10z')),
    press(bird(16, 20, 4), bird(27, 14, 3.4), bird(36, 21, 2.6)),
  ],
});

const bridge = drawPaper({
  file: 'three-arches.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 28, y: 25, strength: 0.7 },
  definitions: `${gradient('dawn', '#fbf1de', '#f3d9b9')}${gradient('water', '#bcd5d3', '#79a9a8')}`,
  layers: [
    paint(rect('url(#dawn)', -2, -2, 124, 84)),
    lift(1, circle(INK.gold, 31, 22, 17)),
    lift(2, circle(INK.ochre, 31, 22, 11)),
    lift(1, path('#dccab0', ridge(9, 34, 6, 18))),
    lift(2, path('#bcc3a4', ridge(14, 42, 4, 22))),
    lift(2, rect('url(#water)', -4, 53, 128, 40)),
    press(
      path(
        INK.gold,
        'M22 56h18l-1.500 2H23.500zM24 60h14l-1 1.600H25zM26 64h10l-1 1.400h-8zM28 68h6l-.6 1.200h-4.800z',
        'opacity=".75"',
      ),
    ),
    press(path(INK.teal, 'M0 57h6q12 15 24 0h8q22 21 44 0h8q12 15 24 0h6v7q-60 12-120 0z', 'opacity=".32"')),
    lift(
      4,
      path(
        '#2a3848',
        'M-4 31q64-15 128 0v28h-10a12 14 0 0 0-24 0h-8a22 25 0 0 0-44 0h-8a12 14 0 0 0-24 0H-4z',
        'fill-rule="evenodd"',
      ),
    ),
    press(
      line(
        '#52687a',
        0.7,
        'M38.500 57a22 24.500 0 0 1 43 0M6.500 57a12 13.500 0 0 1 23 0M90.500 57a12 13.500 0 0 1 23 0',
        'stroke-dasharray="2.400 .7"',
      ),
      ...buildStones(),
    ),
    lift(3, path(INK.red, 'M-4 28.500q64-15 128 0v3.400q-64-15-128 0z')),
    lift(
      2,
      ...[14, 42, 78, 106].map((x) =>
        at(
          x,
          26 - Math.sin((x / 120) * Math.PI) * 5.5,
          line(INK.night, 0.7, 'M0 0V-8') + circle(INK.gold, 0, -8.8, 1.2),
        ),
      ),
    ),
    lift(
      2,
      path(INK.white, 'M62 60.500V45.500q8 5 9.500 13z'),
      path(INK.rose, 'M60.500 60V48q-5 5-5.500 11z'),
      line(INK.night, 0.5, 'M61.200 63V44.500'),
    ),
    lift(3, path(INK.red, 'M50.500 61.500h22q-2 5.500-6 5.500h-10.500q-4 0-5.500-5.500z')),
    press(line(INK.white, 0.55, 'M8 70h18M44 73h24M86 69h20M74 64h9M20 76h14M92 76h16M40 66.500h7', 'opacity=".85"')),
    lift(4, path(INK.moss, 'M-4 84V71q10-6 17 2t15 11z'), path('#557d66', 'M124 84V73q-12-5-19 3t-13 8z')),
    lift(2, ...reeds(3, 77), ...reeds(112, 79)),
  ],
});

function buildStones(): readonly string[] {
  const random = createRandom(3);
  return Array.from({ length: 46 }, () => {
    const x = random.between(0, 118);
    const y = random.between(33, 40) + Math.abs(x - 60) * 0.02;
    return rect(
      '#3d4f60',
      x,
      y - Math.sin((x / 120) * Math.PI) * 5.5,
      random.between(1.6, 3.4),
      0.8,
      0.3,
      'opacity=".8"',
    );
  });
}

function reeds(x: number, y: number): readonly string[] {
  return [-2, 0, 1.6, 3.4, 5].map((dx, index) =>
    at(
      x + dx,
      y + 4,
      line('#2f5f58', 0.45, `M0 0q${index - 2} -6 ${index - 2} -12`) +
        rect(INK.wood, index - 2.45, -15, 0.9, 3.6, 0.45),
    ),
  );
}

const harbour = drawPaper({
  file: 'evening-boat.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 78, y: 20, strength: 0.6 },
  definitions: `${gradient('evening', '#5e8f9a', '#f2cfa8')}<linearGradient id="beam" x1="1" x2="0"><stop stop-color="#ffe7ad" stop-opacity=".95"/><stop offset="1" stop-color="#ffe7ad" stop-opacity="0"/></linearGradient>`,
  layers: [
    paint(rect('url(#evening)', -2, -2, 124, 60)),
    lift(1, cloud(18, 27, 1.1, '#f3d7bb'), cloud(60, 17, 0.8, '#e5cdb8'), cloud(98, 30, 0.9, '#f6dcbd')),
    paint(path('url(#beam)', 'M91 14.500L-6 -2V24z')),
    lift(1, path('#7fa3a3', ridge(51, 41, 4, 20))),
    lift(3, path(INK.moss, 'M60 52q10-3 18-11t22-10q12-1 24 3v20z'), path('#557d66', 'M84 52q14-13 40-12v14z')),
    lift(
      2,
      path(INK.white, 'M87.500 36l2-20h7l2 20z'),
      path(INK.red, 'M88.600 25.500l.6-5.500h7.600l.6 5.500zM87.600 35l.5-5h9.800l.5 5z'),
      rect(INK.night, 88.3, 14.6, 9.4, 1.5, 0.3),
    ),
    lift(2, rect(INK.gold, 90.2, 10.8, 5.6, 3.8), path(INK.red, 'M89 11l4-4.500 4 4.500z')),
    lift(
      2,
      path(INK.cream, 'M100.500 38v-5.500l4-3 4 3V38z'),
      path(INK.brick, 'M99.500 33l5-4 5 4z'),
      rect(INK.ochre, 103.3, 34, 2, 2.2),
    ),
    lift(3, path('#5d9a9a', waves(47, 1.1, 9, 0))),
    lift(3, path(INK.sea, waves(52, 1.3, 11, 3))),
    lift(2, rect(INK.ochre, 37, 33.5, 5, 9, 0.4), rect(INK.night, 37, 35, 5, 1.8)),
    lift(2, path(INK.red, 'M25 43h22v12H25z'), path(INK.cream, 'M22.500 48.500h32v8h-32z')),
    press(
      ...[25.5, 30.5, 35.5, 40.5, 45.5, 50].map((x) => circle(INK.night, x, 52, 1.2)),
      ...[28, 33.5, 39].map((x) => rect(INK.gold, x, 44.8, 3.2, 2.4, 0.3)),
    ),
    lift(
      4,
      path(INK.night, 'M14 55.500h49q-3 13-10 13H23q-6 0-9-13z'),
      path(INK.red, 'M17.500 63h42.500q-2.200 5.500-7 5.500H23q-3.500 0-5.500-5.500z'),
    ),
    press(line(INK.cream, 0.35, 'M20 48.500V38M20 38L37 43M57 55V46M57 46L47 44.500')),
    lift(4, path('#3c7d80', waves(63, 1.5, 13, 5))),
    lift(4, path(INK.teal, waves(70, 1.6, 15, 1))),
    lift(5, path('#235257', waves(77, 1.5, 16, 8))),
    press(line('#a9cccb', 0.5, 'M68 58h9M84 61h12M70 67h14M8 73h16M98 72h13', 'opacity=".8"')),
    lift(2, gull(70, 30, 1), gull(62, 36, 0.7), gull(12, 40, 0.9)),
  ],
});

function cloud(x: number, y: number, size: number, fill: string): string {
  return at(x, y, path(fill, 'M-14 3q-2-4 3-5 1-6 8-4 5-5 10 1 6-1 6 4 4 1 2 4z'), 0, size);
}

function gull(x: number, y: number, size: number): string {
  return at(
    x,
    y,
    path(INK.white, 'M0 0q-3-3-7-1.500 3.500 0 6 3 .6.700 1.200 0 2-3 6-3.600-4-1-6.200 2.100z'),
    0,
    size,
  );
}

function waves(top: number, swell: number, length: number, shift: number, width = 120): string {
  const points: string[] = [];
  for (let x = -6 - shift; x < width + length; x += length)
    points.push(`q${length / 4} ${-swell * 2} ${length / 2} 0t${length / 2} 0`);
  return `M${-6 - shift} ${top}${points.join('')}V95H${-6 - shift}z`;
}

export const LANDSCAPES: readonly Picture[] = [mill, bridge, harbour];
