// Letters, a map and prints.

import { createMarbling } from './marbling.ts';
import { at, circle, drawPaper, INK, lift, line, type Picture, paint, path, press, rect, round } from './paper.ts';
import { createRandom } from './random.ts';

const letters = drawPaper({
  file: 'three-letters.jpg',
  width: 1600,
  height: 1600,
  units: 80,
  light: { x: 22, y: 10, strength: 0.45 },
  layers: [
    paint(rect('#e6a93f', -2, -2, 84, 84)),
    press(line(INK.cream, 0.25, 'M-2 17.500h84M-2 34h84M-2 66h84', 'stroke-dasharray="1.200 1.200"')),
    lift(
      4,
      at(
        -1.5,
        6.6,
        path(
          INK.cream,
          'M5.500 66L15 20h7.500L32 66h-7.200l-1.900-10h-8.600L12.500 66zM15.500 50h6.300L18.700 33z',
          'fill-rule="evenodd"',
        ),
        0,
        0.9,
      ),
    ),
    lift(
      4,
      at(
        2.2,
        6.6,
        path(
          INK.night,
          'M42.500 66a14 16 0 1 1 0-32q5 0 8 3.500V34.500h7V57q0 9 5 9-12 1.500-12-6-3 6-8 6zm1-7a7.500 9 0 1 0 0-18 7.500 9 0 0 0 0 18z',
          'fill-rule="evenodd"',
        ),
        0,
        0.9,
      ),
    ),
    lift(
      3,
      path(INK.teal, 'M67.500 45.500a10 10.250 0 1 0 .01 0zM67.800 51.800a4 4 0 1 1-.01 0z', 'fill-rule="evenodd"'),
    ),
    lift(5, rect(INK.red, 60, 13, 6.6, 53)),
    lift(3, circle(INK.red, 73, 12, 4)),
  ],
});

const streets = drawPaper({
  file: 'street-map.png',
  width: 1620,
  height: 1080,
  units: 120,
  grain: 0,
  layers: [
    paint(rect(INK.cream, -2, -2, 124, 84)),
    lift(1, ...blocks()),
    lift(
      1,
      line('#a9cbcd', 11, 'M-5 64Q30 72 52 49T125 20'),
      line('#c3dcdc', 3, 'M-5 65Q30 73 52 50T125 21', 'opacity=".7"'),
    ),
    lift(2, ...bridges()),
    lift(2, line(INK.red, 1.1, 'M39 27l8.500 1 5.500 12.500 8 13.500 6 14', 'stroke-dasharray=".01 2"')),
    lift(4, pin(39, 27, INK.red), pin(67, 68, INK.teal)),
  ],
});

function blocks(): readonly string[] {
  const random = createRandom(44);
  const shapes: string[] = [];
  for (let column = -1; column < 11; column += 1) {
    for (let row = -1; row < 8; row += 1) {
      const [x, y] = [column * 12 + row * 1.1 + 0.8, row * 11.5 - column * 0.9 + 6];
      const [width, height] = [10.6, 10.1];
      const isPark = random.between(0, 1) > 0.88;
      const fill = isPark ? '#a9c3a0' : random.pick(['#ecd9c0', '#e7cfb3', '#f0e0c9', INK.rose, '#e9c9a0', '#d8c7ae']);
      const corner = (dx: number, dy: number): string => `${round(x + dx + dy * 0.1)} ${round(y + dy - dx * 0.08)}`;
      const split = random.between(0.35, 0.65) * width;
      if (!isPark && random.between(0, 1) > 0.5) {
        shapes.push(
          path(fill, `M${corner(0, 0)}L${corner(split - 0.4, 0)}L${corner(split - 0.4, height)}L${corner(0, height)}z`),
        );
        shapes.push(
          path(
            random.pick(['#ecd9c0', INK.blush, INK.ochre, INK.sage, INK.dusk, '#e7cfb3']),
            `M${corner(split + 0.4, 0)}L${corner(width, 0)}L${corner(width, height)}L${corner(split + 0.4, height)}z`,
          ),
        );
      } else
        shapes.push(path(fill, `M${corner(0, 0)}L${corner(width, 0)}L${corner(width, height)}L${corner(0, height)}z`));
      if (isPark)
        for (let tree = 0; tree < 7; tree += 1)
          shapes.push(
            circle(
              random.pick([INK.moss, '#5d8467']),
              x + random.between(1.5, 10),
              y + random.between(1.2, 8.6),
              random.between(0.6, 1.1),
            ),
          );
    }
  }
  return shapes;
}

function bridges(): readonly string[] {
  return [
    at(51, 50.5, rect(INK.cream, -1.1, -8, 2.2, 16, 0.3), 42),
    at(88, 33.5, rect(INK.cream, -1.1, -8, 2.2, 16, 0.3), 10),
    at(20, 68, rect(INK.cream, -1.1, -8, 2.2, 16, 0.3), -6),
  ];
}

function pin(x: number, y: number, fill: string): string {
  return at(
    x,
    y,
    path(fill, 'M0 0q-4.600-5.600-4.600-8.800a4.600 4.600 0 0 1 9.200 0q0 3.200-4.600 8.800z') +
      circle(INK.white, 0, -8.8, 1.7),
  );
}

const modular = drawPaper({
  file: 'modular-alphabet.png',
  width: 1620,
  height: 1080,
  units: 120,
  grain: 0,
  layers: [paint(rect(INK.night, -2, -2, 124, 84)), lift(1, ...modules())],
});

function modules(): readonly string[] {
  const random = createRandom(90);
  const colours = [INK.red, INK.ochre, INK.sage, INK.cream, INK.teal, INK.rose];
  const shapes = [
    'M-5 -5h10a10 10 0 0 1-10 10z',
    'M-5 -5a5 5 0 0 1 10 0v10h-10z',
    'M-5 -5h10v10z',
    'M-5 0a5 5 0 0 1 10 0zM-5 5a5 5 0 0 1 10 0z',
    'M0 -4.600a4.600 4.600 0 1 0 .01 0z',
    'M-5 -5h10v10h-10zM0 -3a3 3 0 1 0 .01 0z',
    'M-5 -5h5v10h-5zM0 0h5v5h-5z',
    'M-5 5a10 10 0 0 1 10-10v5a5 5 0 0 0-5 5z',
  ];
  return Array.from({ length: 96 }, (_, index) => {
    const [x, y] = [(index % 12) * 10 + 5, Math.floor(index / 12) * 10 + 5];
    return at(
      x,
      y,
      path(random.pick(colours), random.pick(shapes), 'fill-rule="evenodd"'),
      random.pick([0, 90, 180, 270]),
      0.94,
    );
  });
}

/** A stencil printer's inks, in dots, slightly out of register. */
const overprint = drawPaper({
  file: 'overprint.jpg',
  width: 1620,
  height: 1080,
  units: 120,
  grain: 1,
  definitions: [dots('red-dots', INK.red, 15), dots('ochre-dots', INK.ochre, 45), dots('teal-dots', INK.teal, 75)].join(
    '',
  ),
  layers: [
    paint(rect(INK.white, -2, -2, 124, 84)),
    paint(
      ink(circle(INK.red, 44, 33, 24, 'opacity=".9"'), rect('url(#red-dots)', -2, 58, 46, 26)),
      ink(circle(INK.ochre, 74.5, 32.4, 24, 'opacity=".95"'), rect('url(#ochre-dots)', 76, 58, 46, 26)),
      ink(circle(INK.teal, 59.4, 54, 24, 'opacity=".88"'), path('url(#teal-dots)', 'M0 -2h124v18q-62 14-124 0z')),
    ),
    press(
      ...[
        [7, 7],
        [113, 7],
        [7, 73],
        [113, 73],
      ].map(([x = 0, y = 0]) =>
        at(
          x,
          y,
          circle('none', 0, 0, 2, `stroke="${INK.night}" stroke-width=".35"`) + line(INK.night, 0.35, 'M0 -4v8M-4 0h8'),
        ),
      ),
    ),
    press(
      ...[INK.red, INK.ochre, INK.teal, INK.night].map((colour, index) => rect(colour, 110.5, 33 + index * 4.2, 5, 4)),
    ),
  ],
});

function dots(id: string, fill: string, turn: number): string {
  return `<pattern id="${id}" width="2" height="2" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><circle cx="1" cy="1" r=".62" fill="${fill}"/></pattern>`;
}

function ink(...shapes: readonly string[]): string {
  return `<g style="mix-blend-mode:multiply">${shapes.join('')}</g>`;
}

export const PATTERNS: readonly Picture[] = [
  letters,
  streets,
  modular,
  overprint,
  createMarbling('marbled-waves.jpg', 1600, 1200),
];
