// The workshop: the press, the roller, the type case and drying paper.

import { at, circle, drawPaper, gradient, INK, lift, line, type Picture, paint, path, press, rect } from './paper.ts';
import { createRandom } from './random.ts';

const handPress = drawPaper({
  file: 'hand-press.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 78, y: 12, strength: 0.6 },
  definitions: gradient('wall', '#cfe0de', '#aecaca'),
  layers: [
    paint(rect('url(#wall)', -2, -2, 124, 84)),
    lift(1, path('#dbe8e3', 'M6 8h22v34H6z'), path('#e9d9bd', 'M8 10h18v30H8z')),
    press(path('#f7e3b4', 'M8 10h18v14q-9-6-18 2z'), line('#dbe8e3', 1, 'M17 10v30M8 24h18')),
    lift(
      1,
      path('#b98a5e', 'M90 34h28v2.400H90z'),
      ...[92, 98, 105, 111].map((x, index) =>
        rect(
          [INK.red, INK.ochre, INK.teal, INK.night][index] ?? INK.red,
          x,
          34 - 6 - (index % 2) * 2,
          4.6,
          6 + (index % 2) * 2,
          0.5,
        ),
      ),
    ),
    lift(2, rect(INK.cream, -4, 66, 128, 20), path('#e2d2b6', 'M-4 72h128v.6H-4zM-4 78h128v.6H-4z')),
    lift(3, path('#263445', 'M35 12h8v58h-8zM77 12h8v58h-8z')),
    lift(3, path(INK.night, 'M28 66h64l3 6H25z')),
    lift(4, path(INK.night, 'M31 13q0-5 5-5h48q5 0 5 5v6H31z')),
    press(
      line(INK.gold, 0.5, 'M36 11.500h48M37 16h46M39 24v36M81 24v36', 'opacity=".85"'),
      circle(INK.gold, 60, 13.7, 1.6),
    ),
    lift(
      3,
      path(INK.ochre, 'M56.500 19h7v13h-7z'),
      line(INK.wood, 0.5, 'M56.500 22l7 1.600M56.500 25l7 1.600M56.500 28l7 1.600'),
    ),
    lift(4, path(INK.red, 'M59 24.500l39-9 1.200 4.200L60 29.500z')),
    lift(4, circle(INK.gold, 100, 17, 3.6)),
    lift(3, path(INK.teal, 'M43 32h34v4.500H43zM46 36.500h28v4H46z')),
    lift(2, path('#7a4e33', 'M14 56h92v4.500H14z'), path('#93633f', 'M14 56h92v1.500H14z')),
    lift(2, path(INK.ochre, 'M39 49h42v7H39z'), path('#c98d31', 'M39 54h42v2H39z')),
    lift(3, path(INK.white, 'M43.500 46.800h33v2.400h-33z')),
    lift(
      2,
      at(
        20,
        66,
        circle('none', 0, 0, 7, `stroke="${INK.red}" stroke-width="2"`) +
          [0, 45, 90, 135].map((turn) => at(0, 0, line(INK.red, 1, 'M0 -7V7'), turn)).join('') +
          circle(INK.night, 0, 0, 1.6),
      ),
    ),
    lift(3, at(98, 54, rect(INK.white, -9, -3, 19, 5.5), -9), at(99, 52.5, rect(INK.cream, -9, -3, 19, 5.5), -3)),
    press(at(99, 52.5, line(INK.night, 0.35, 'M-6 -1.200h13M-6 .2h13M-6 1.500h9'), -3)),
  ],
});

const roller = drawPaper({
  file: 'ink-roller.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 70, y: 20, strength: 0.5 },
  layers: [
    paint(rect('#f2e6d0', -2, -2, 124, 84)),
    lift(1, at(60, 41, rect(INK.white, -52, -33, 104, 66), -2)),
    paint(at(60, 41, inkBand(), -2)),
    lift(3, line('#26343f', 2.6, 'M69.500 19V12.500h24.500v55H69.500V61')),
    lift(4, rect(INK.night, 61, 17, 17, 46, 3), rect('#3a4c60', 63, 17, 3, 46, 1.5), rect('#2d6e72', 66, 17, 7, 46)),
    lift(3, rect(INK.ochre, 92.5, 34, 6, 12, 1)),
    lift(
      5,
      path(INK.red, 'M98 35.500q8-4 24-2.500v14q-16 1.500-24-2.500z'),
      path(INK.brick, 'M98 42q9 2 24 1v4q-16 1.500-24-2.500z'),
    ),
    lift(2, ...blots()),
    press(line(INK.night, 0.6, 'M14 68h34M14 71.500h26', 'opacity=".75"')),
  ],
});

/** Ink as a roller leaves it: dense at first, then broken into streaks. */
function inkBand(): string {
  const random = createRandom(5);
  const streaks = Array.from({ length: 90 }, () => {
    const y = random.between(-21, 18);
    return rect(
      random.pick(['#f9f3e6', '#3d8488', '#24585d']),
      random.between(-52, -8),
      y,
      random.between(3, 22),
      random.between(0.12, 0.5),
      0.2,
      `opacity="${random.between(0.25, 0.8)}"`,
    );
  });
  return rect(INK.teal, -52, -22, 62, 43) + streaks.join('');
}

function blots(): readonly string[] {
  return [
    circle(INK.red, 22, 9, 3.4),
    circle(INK.red, 29, 7, 1.6),
    circle(INK.red, 17.5, 5, 0.9),
    circle(INK.ochre, 96, 72, 3),
    circle(INK.ochre, 90, 74.5, 1.3),
    circle(INK.ochre, 103, 74, 0.8),
  ];
}

const FACES = [
  'M-.5 .8l.5-1.600.5 1.600M-.3 .2h.6',
  'M-.4 -.8v1.600h.5a.4.4 0 0 0 0-.9h-.5',
  'M.4 -.5a.6.6 0 1 0 0 1',
  'M-.4 -.8h.8M0-.8v1.600',
  'M-.4 -.8v1.600M.4 -.8v1.600M-.4 0h.8',
  'M-.5 -.7l1 1.400M.5 -.7l-1 1.400',
  'M0 -.6a.6.6 0 1 0 .01 0',
].map((d) => line(INK.night, 0.28, d, 'opacity=".75"'));

const typeCase = drawPaper({
  file: 'type-case.jpg',
  width: 1620,
  height: 1080,
  units: 120,
  light: { x: 25, y: 8, strength: 0.6 },
  layers: [paint(rect('#6d452c', -2, -2, 124, 84)), paint(...woodGrain()), ...compartments()],
});

function woodGrain(): readonly string[] {
  const random = createRandom(19);
  return Array.from({ length: 60 }, () => {
    const y = random.between(0, 80);
    return line(
      random.pick(['#5c3822', '#7e5335', '#8a5c3c']),
      random.between(0.1, 0.35),
      `M-2 ${y}q40 ${random.between(-2, 2)} 62 0t62 ${random.between(-1, 1)}`,
      'opacity=".7"',
    );
  });
}

/** A case has large boxes for the letters that are used most. The pieces of type lie in them as they fell. */
function compartments() {
  const random = createRandom(23);
  const boxes: string[] = [];
  const types: string[] = [];
  const faces: string[] = [];
  const rows = [
    [1, 1, 1, 1, 1, 1, 1, 1],
    [1, 2, 2, 1, 1, 1],
    [1.5, 2, 1, 1.5, 2],
    [1, 1, 2, 2, 1, 1],
    [1, 1, 1, 1, 1, 1, 1, 1],
  ];
  let colourIndex = 0;
  for (const [row, widths] of rows.entries()) {
    const y = 5 + row * 14.2;
    let x = 5;
    for (const share of widths) {
      const width = share * 13.75;
      const box = { x: x + 0.6, y: y + 0.6, width: width - 1.2, height: 13 };
      boxes.push(rect('#22303f', box.x, box.y, box.width, box.height, 0.5));
      const colour =
        [INK.ochre, INK.cream, INK.rose, INK.sky, INK.red, INK.sage, INK.gold][(colourIndex * 3 + row) % 7] ??
        INK.ochre;
      colourIndex += 1;
      for (let left = box.x + 0.9; left < box.x + box.width - 2.4; left += 2.7) {
        for (let top = box.y + 0.9; top < box.y + box.height - 3; top += 3.9) {
          if (random.between(0, 1) < 0.2) continue;
          const turn = random.between(-9, 9);
          const [cx, cy] = [left + 1.1 + random.between(-0.2, 0.3), top + 1.6 + random.between(-0.2, 0.3)];
          types.push(
            at(cx, cy, rect(random.between(0, 1) > 0.88 ? INK.white : colour, -1.05, -1.6, 2.1, 3.2, 0.2), turn),
          );
          faces.push(at(cx, cy, random.pick(FACES), turn));
        }
      }
      x += width;
    }
  }
  return [lift(1, ...boxes), lift(2, ...types), paint(...faces)];
}

const dryingLoft = drawPaper({
  file: 'drying-loft.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 50, y: 15, strength: 0.7 },
  definitions: `${gradient('wall', '#3a7d80', '#245a60')}<linearGradient id="ray" x2="0" y2="1"><stop stop-color="#fff3d2" stop-opacity=".42"/><stop offset="1" stop-color="#fff3d2" stop-opacity="0"/></linearGradient>`,
  layers: [
    paint(rect('url(#wall)', -2, -2, 124, 84)),
    lift(2, path('#1d4a50', 'M-4 -4h128v6L60 -1-4 10zM-4 2l10-2 4 84H-4zM124 -1l-10-1-4 86h14z')),
    lift(1, path('#fbe6b4', 'M47 5.500q13-9 26 0v13H47z'), line('#1d4a50', 0.9, 'M60 1v17.500M47 12h26')),
    paint(path('url(#ray)', 'M47 18.500h26L106 84H14z')),
    lift(1, line(INK.gold, 0.5, 'M-2 20q62 7 124 0')),
    lift(2, ...hang(20, 3.4, [12, 27, 43, 59, 75, 91, 106], 11, 15, '#e7dcc6')),
    lift(2, line(INK.gold, 0.6, 'M-2 31q62 9 124 0')),
    lift(3, ...hang(31, 4.4, [20, 40, 62, 83, 103], 15, 20, INK.cream)),
    lift(2, line(INK.ochre, 0.8, 'M-2 44q62 12 124 0')),
    lift(4, ...hang(44, 6, [10, 35, 62, 89, 113], 19, 26, INK.white)),
    lift(3, path('#14343b', 'M-4 77h128v8H-4z')),
    lift(
      4,
      path(INK.wood, 'M46 70h28v3H46zM49 73h3l-2 9h-3zM68 73h3l2 9h-3z'),
      ...[0, 1, 2, 3].map((index) =>
        rect(index % 2 ? INK.cream : INK.white, 49 + index * 0.5, 68.8 - index * 1.2, 22, 1.1),
      ),
    ),
  ],
});

/** Sheets over a line that sags in the middle. */
function hang(
  top: number,
  sag: number,
  places: readonly number[],
  width: number,
  height: number,
  fill: string,
): readonly string[] {
  const random = createRandom(Math.round(top * 7));
  return places.map((x) => {
    const y = top + sag * (1 - ((x - 60) / 62) ** 2);
    const bend = random.between(-1.4, 1.4);
    const half = width / 2;
    const sheet = path(
      fill,
      `M${-half} -.8q${half} ${bend * 0.4} ${width} 0q${bend} ${height / 2} ${bend * 0.4} ${height}q${-half} ${bend} ${-width} 0q${-bend * 0.6} ${-height / 2} ${-bend * 0.4} ${-height}z`,
    );
    const fold = path(
      '#000',
      `M${-half} -.8q${half} ${bend * 0.4} ${width} 0v1.500q${-half} ${bend * 0.4} ${-width} 0z`,
      'opacity=".07"',
    );
    const peg = (dx: number): string => rect(INK.red, dx, -2, 0.9, 2.8, 0.3);
    return at(x, y, sheet + fold + peg(-half * 0.6) + peg(half * 0.6 - 0.9), random.between(-2.5, 2.5));
  });
}

export const WORKSHOP: readonly Picture[] = [handPress, roller, typeCase, dryingLoft];
