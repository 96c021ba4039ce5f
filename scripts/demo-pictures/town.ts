// The town: the print shop at night, and a courtyard by day.

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
import { createRandom, type Random } from './random.ts';
import type { Layer } from './render-paper.ts';

const night = drawPaper({
  file: 'night-shift.jpg',
  width: 2160,
  height: 1215,
  units: 144,
  light: { x: 50, y: 70, strength: 0.5 },
  definitions: `${gradient('sky', '#111a26', '#34506a')}`,
  layers: [
    paint(rect('url(#sky)', -2, -2, 148, 86)),
    paint(...stars()),
    lift(1, circle('#2b4055', 112, 20, 17)),
    lift(1, circle('#3a546b', 112, 20, 13)),
    lift(3, path('#f6e7c8', 'M107 10.500a10 10 0 1 0 12.500 14.500a11.500 11.500 0 0 1-12.500-14.500z')),
    lift(2, path('#2c4358', houses(4, 41, 6, 9))),
    lift(3, path('#24384b', houses(9, 47, 7, 11))),
    press(...litWindows(31, 50, 60, 26)),
    lift(
      3,
      path('#1f4a52', 'M6 84V54l13-10 13 10v30z'),
      path('#245a60', 'M98 84V51l16-12 16 12v33z'),
      path('#1d3f49', 'M126 84V58h20v26z'),
    ),
    press(
      rect(INK.gold, 15, 58, 8, 9, 0.3),
      line('#1f4a52', 0.7, 'M19 58v9M15 62.500h8'),
      rect(INK.gold, 109, 55, 9, 10, 0.3),
      line('#245a60', 0.7, 'M113.500 55v10M109 60h9'),
      rect('#2f7074', 109, 70, 9, 8, 0.3),
      rect(INK.ochre, 133, 64, 5, 6, 0.3),
    ),
    lift(2, rect('#7d2c1f', 75, 36, 6, 16), rect('#5e2118', 74, 35, 8, 2.2)),
    lift(1, circle('#566b7c', 79, 29, 2.6), circle('#4a6072', 82.5, 23.5, 3.3), circle('#3f5568', 80, 16.5, 4)),
    lift(4, path('#c4452c', 'M33 84V51h65v33z')),
    lift(3, path(INK.rose, 'M30 47h71v4.500H30z'), path('#e0ad93', 'M30 50h71v1.500H30z')),
    press(...[0, 1, 2, 3].map((index) => printerWindow(38 + index * 15, 57, index))),
    lift(
      2,
      rect(INK.night, 59.5, 74, 11, 12, 0.3),
      rect('#2a3a4a', 60.5, 75, 4.2, 10),
      rect('#2a3a4a', 65.3, 75, 4.2, 10),
    ),
    lift(
      2,
      at(65, 72, rect(INK.cream, -8, -1.3, 16, 2.6, 0.4)),
      line(INK.night, 0.6, 'M60 72h10', 'stroke-dasharray="1.200 .6"'),
    ),
    paint(path('#ffd48a', 'M59 84l-9 6h31l-9-6z', 'opacity=".5"')),
    lift(5, path('#0f1721', 'M-4 84.500v-4q40-2 76-1t76 0v5z')),
    lift(
      3,
      at(3, 80, line('#0f1721', 0.8, 'M0 0V-15q0-2 3-2') + path(INK.gold, 'M1.800-17h3.400l-.6 2.200h-2.200z')),
      circle('#ffd48a', 6.5, 65, 4.5, 'opacity=".22"'),
    ),
  ],
});

function stars(): readonly string[] {
  const random = createRandom(12);
  return Array.from({ length: 150 }, () => {
    const size = random.between(0.06, 0.22) + (random.between(0, 1) > 0.93 ? 0.18 : 0);
    return circle(
      random.pick(['#fff6df', '#dfe9ee', INK.gold]),
      random.between(0, 144),
      random.between(0, 48),
      size,
      `opacity="${round(random.between(0.35, 1))}"`,
    );
  });
}

/** A row of roofs, closed below the picture. */
function houses(seed: number, top: number, least: number, most: number): string {
  const random = createRandom(seed);
  let x = -4;
  let outline = `M-4 95V${top}`;
  while (x < 148) {
    const width = random.between(least, most);
    const wall = round(top + random.between(-4, 4));
    const isGable = random.between(0, 1) > 0.45;
    outline += `L${round(x)} ${wall}`;
    if (isGable) outline += `L${round(x + width / 2)} ${round(wall - width * 0.42)}`;
    outline += `L${round(x + width)} ${wall}`;
    x += width;
  }
  return `${outline}L148 95z`;
}

function litWindows(seed: number, from: number, to: number, count: number): readonly string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () =>
    rect(
      random.pick([INK.gold, INK.ochre, '#c98d3c']),
      random.between(2, 140),
      random.between(from, to),
      1.1,
      1.6,
      0.1,
      `opacity="${round(random.between(0.55, 0.95))}"`,
    ),
  );
}

/** A tall window of the print shop, with the silhouette of somebody or something at work. */
function printerWindow(x: number, y: number, index: number): string {
  const things = [
    circle(INK.night, 4, 6.2, 1.5) + path(INK.night, 'M1.400 13q0-5 2.600-5t2.600 5z'),
    path(INK.night, 'M2 13V5h6v8z') + rect(INK.red, 1.2, 4, 7.6, 1.4),
    line(INK.night, 0.35, 'M.5 4h9') +
      rect(INK.white, 1.2, 4, 2.4, 3.4) +
      rect(INK.white, 4.2, 4, 2.4, 3.4) +
      rect(INK.white, 7, 4, 2.2, 3.4),
    circle(INK.night, 6, 6.8, 1.4) +
      path(INK.night, 'M3.600 13q0-4.600 2.400-4.600t2.400 4.600z') +
      line(INK.night, 0.7, 'M4.500 10L1.500 7.500'),
  ];
  return at(
    x,
    y,
    rect('#ffdc94', 0, 0, 10, 13, 0.3) +
      rect(INK.gold, 0, 7, 10, 6) +
      line('#a53a26', 0.45, 'M5 0v13M0 3h10') +
      (things[index] ?? ''),
  );
}

const MULLIONS = line(INK.cream, 0.45, 'M4 0v11M0 4.200h8');
const READER =
  rect(INK.gold, 0, 0, 8, 11) +
  MULLIONS +
  circle(INK.night, 4, 4.6, 1.7) +
  path(INK.night, 'M1 11q0-4.600 3-4.600t3 4.600z') +
  path(INK.white, 'M4.600 8.300l3-.9.3 2-3 .9z');

const courtyard = drawPaper({
  file: 'courtyard-front.jpg',
  width: 1620,
  height: 1080,
  units: 120,
  light: { x: 20, y: 10, strength: 0.55 },
  layers: [
    paint(rect('#cf4a2f', -2, -2, 124, 84)),
    paint(...bricks()),
    lift(3, rect(INK.rose, -4, 5.5, 128, 2.6), rect('#dba58c', -4, -4, 128, 8)),
    lift(2, rect(INK.rose, -4, 29, 128, 1.2), rect(INK.rose, -4, 50.5, 128, 1.2)),
    ...facadeWindows(),
    lift(3, rect(INK.cream, -4, 71.5, 128, 12)),
    lift(3, path(INK.teal, 'M49 82V61q5-5.500 10 0v21z'), path('#245a60', 'M91 82V61q5-5.500 10 0v21z')),
    press(
      circle(INK.gold, 57, 71, 0.5),
      circle(INK.gold, 93.3, 71, 0.5),
      line('#1f4f54', 0.35, 'M54 60v22M96 60v22M49.500 66h9M91.500 66h9'),
    ),
    lift(2, line(INK.night, 0.35, 'M-2 46.500q30 5 62 0t62 0')),
    lift(3, ...laundry()),
    lift(4, path('#3f6f5b', 'M2 82q-3-9 3-13t9 1q7 0 6 12z'), path(INK.moss, 'M8 82q-2-6 3-8t7 3q4 1 3 5z')),
    lift(
      2,
      circle('none', 103.5, 76.5, 3.4, `stroke="${INK.night}" stroke-width=".6"`),
      circle('none', 114, 76.5, 3.4, `stroke="${INK.night}" stroke-width=".6"`),
      line(
        INK.night,
        0.7,
        'M103.500 76.500l3-6.500h5.500l2 6.500M106.500 70l2.500 6.500 3-6.500M103.500 76.500h5.500M105 69h2.600M112 70l-.7-2.500h2.400',
      ),
    ),
  ],
});

function bricks(): readonly string[] {
  const random = createRandom(8);
  return Array.from({ length: 150 }, () => {
    const row = Math.floor(random.between(5, 46));
    const x = Math.floor(random.between(0, 34)) * 3.6 + (row % 2) * 1.8;
    return rect(random.pick(['#b93d26', '#de6244', '#c5432a']), x, row * 1.55, 3.2, 1.2, 0.2, 'opacity=".7"');
  });
}

/** The windows in layers: frames, glass, sills and shutters, flowers. */
function facadeWindows(): readonly Layer[] {
  const random = createRandom(27);
  const frames: string[] = [];
  const glass: string[] = [];
  const sills: string[] = [];
  const flowers: string[] = [];
  for (const [row, y] of [11.5, 33, 54.5].entries()) {
    for (let column = 0; column < 8; column += 1) {
      if (row === 2 && (column === 3 || column === 6)) continue;
      const x = 6 + column * 14;
      frames.push(rect(INK.cream, x - 0.7, y - 0.7, 9.4, 12.4, 0.2));
      glass.push(at(x, y, row === 0 && column === 1 ? READER : pane(random)));
      sills.push(rect(INK.cream, x - 1.4, y + 11.2, 10.8, 1.2));
      if (row === 1 && column % 3 === 0) sills.push(shutter(x - 3.2, y), shutter(x + 8.4, y));
      if (random.between(0, 1) > 0.62) flowers.push(at(x, y, flowerBox(random)));
    }
  }
  return [lift(1, ...frames), press(...glass), lift(2, ...sills), lift(2, ...flowers)];
}

function pane(random: Random): string {
  const isLit = random.between(0, 1) > 0.58;
  const colour = random.pick(isLit ? [INK.gold, INK.ochre] : [INK.night, '#2b3a4a']);
  const curtain = random.pick(['M0 0h2.400q-.5 6-2.400 7z', 'M8 0H5.600q.5 6 2.400 7z', 'M0 0h8v3H0z', '']);
  const shine = line('#ffffff', 0.3, 'M1 7l4-5M2.500 8.500l4-5', 'opacity=".18"');
  return rect(colour, 0, 0, 8, 11) + (isLit ? path('#c47f2c', curtain) : shine) + MULLIONS;
}

function shutter(x: number, y: number): string {
  const slats = line('#1f565c', 0.3, 'M.4 2h2M.4 4h2M.4 6h2M.4 8h2M.4 10h2');
  return rect(INK.teal, x, y - 0.2, 2.8, 11.4) + at(x, y - 0.4, slats);
}

function flowerBox(random: Random): string {
  const colours = [INK.gold, INK.white, INK.rose, INK.blush];
  const blossoms = [0.6, 2, 3.4, 4.8, 6.2, 7.4].map((x) =>
    circle(random.pick(colours), x, 9 + random.between(-0.6, 0.6), 0.75),
  );
  const leaves = path(INK.moss, 'M-.5 11.500q1-3.500 4.500-2.500t4.500-.5q1 1 .5 3z');
  return leaves + blossoms.join('') + rect(INK.wood, -0.6, 10.4, 9.2, 1.9, 0.3);
}

function laundry(): readonly string[] {
  const things: readonly (readonly [number, string])[] = [
    [22, path(INK.white, 'M0 0h7v7.500l-7 .4z')],
    [31, path(INK.sky, 'M0 .2l3 -.2 1 1 1.200-1 3 .3-.6 2.500-1.400-.2.2 5.500H1.800l.1-5.500-1.500.2z')],
    [66.5, path(INK.ochre, 'M0 0h4l-.2 7.500H2.400L2 2.500 1.500 7.500H.1z')],
    [73, path(INK.white, 'M0 0h9v6.500q-4.500 1-9 0z')],
    [84, path(INK.sage, 'M0 .4l3-.4 1 1 1-1 3 .4-.5 2.600-1.400-.3.2 5.300H1.600l.2-5.300-1.400.3z')],
  ];
  return things.map(([x, thing]) => at(x, 46.5 + Math.sin((x / 62) * Math.PI) * 2.4, thing));
}

export const TOWN: readonly Picture[] = [night, courtyard];
