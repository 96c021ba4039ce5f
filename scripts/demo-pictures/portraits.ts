// The authors, in paper. All share one head; hair, clothes and an object from their trade tell them apart.

import { at, circle, drawPaper, INK, lift, line, type Picture, path, press, rect } from './paper.ts';
import type { Layer } from './render-paper.ts';

interface Sitter {
  readonly name: string;
  readonly wall: string;
  /** A lighter or darker shape on the wall behind the head. */
  readonly halo: string;
  readonly skin: string;
  readonly cheeks: string;
  readonly behind: readonly Layer[];
  readonly clothes: readonly Layer[];
  readonly hair: readonly Layer[];
  readonly before?: readonly Layer[];
  readonly backHair?: readonly Layer[];
}

const PEN = '#141519';
const SHOULDERS = 'M6 104q0-33 34-33t34 33z';

function drawPortrait({
  name,
  wall,
  halo,
  skin,
  cheeks,
  behind,
  clothes,
  hair,
  before = [],
  backHair = [],
}: Sitter): Picture {
  return drawPaper({
    file: `portrait-${name}.jpg`,
    width: 960,
    height: 1200,
    units: 80,
    light: { x: 24, y: 12, strength: 0.6 },
    layers: [
      { height: 0, svg: rect(wall, -2, -2, 84, 104) },
      lift(1, circle(halo, 40, 44, 34)),
      ...behind,
      ...backHair,
      ...clothes.slice(0, 1),
      lift(2, path(skin, 'M33 56h14v15q-7 7-14 0z')),
      { height: 0, svg: path('#000', 'M33 63q7 5 14 0v3q-7 5-14 0z', 'opacity=".13"') },
      ...clothes.slice(1),
      lift(
        3,
        circle(skin, 24.6, 46, 2.8),
        circle(skin, 55.4, 46, 2.8),
        `<ellipse cx="40" cy="45" rx="15.500" ry="19" fill="${skin}"/>`,
      ),
      { height: 0, svg: circle(cheeks, 31, 51, 3.2, 'opacity=".55"') + circle(cheeks, 49, 51, 3.2, 'opacity=".55"') },
      ...hair,
      press(
        line(PEN, 0.9, 'M32 45.500q1.900-1.700 3.800 0M44.200 45.500q1.900-1.700 3.800 0'),
        line(PEN, 0.8, 'M40 47.500v4.600h-1.700'),
        line(PEN, 0.9, 'M36.500 56.500q3.500 2.500 7 0'),
      ),
      ...before,
    ],
  });
}

const elspeth = drawPortrait({
  name: 'elspeth-garrow',
  wall: INK.sage,
  halo: '#b4caae',
  skin: '#f0cbb4',
  cheeks: '#e39a80',
  behind: [
    lift(2, circle(INK.ochre, 66, 20, 8)),
    lift(
      2,
      ...[0, 1, 2].map((index) =>
        at(12, 92 - index * 3, path(INK.moss, 'M0 0q-8-10-2-24q8 10 2 24z'), -14 + index * 18),
      ),
    ),
  ],
  clothes: [
    lift(3, path(INK.teal, SHOULDERS)),
    lift(
      3,
      path('#25595e', 'M29 72q11 9 22 0l3 5q-14 10-28 0z'),
      line(INK.gold, 0.5, 'M30 80q10 7 20 0'),
      circle(INK.gold, 40, 84.5, 1.4),
    ),
  ],
  hair: [
    lift(
      3,
      path(INK.white, 'M23 50q-5-28 17-28t17 28q-2-15-9-19-11 7-19 5.500-5 5-6 13.500z'),
      circle(INK.white, 40, 20.5, 6),
    ),
  ],
  before: [
    lift(
      1,
      circle('none', 33.8, 46, 5, `stroke="${INK.red}" stroke-width="1"`),
      circle('none', 46.2, 46, 5, `stroke="${INK.red}" stroke-width="1"`),
      line(INK.red, 0.9, 'M38.800 45.500q1.200-.8 2.400 0'),
    ),
  ],
});

const tobias = drawPortrait({
  name: 'tobias-wren',
  wall: INK.ochre,
  halo: '#ecb85a',
  skin: '#efc7b0',
  cheeks: '#df9076',
  behind: [
    lift(2, at(15, 22, rect(INK.white, -9, -11, 18, 22), -6)),
    press(at(15, 22, line(INK.night, 0.6, 'M-6 -6h12M-6 -2.500h12M-6 1h12M-6 4.500h7'), -6)),
  ],
  clothes: [
    lift(3, path(INK.night, SHOULDERS)),
    lift(3, path(INK.cream, 'M30 74h20l4 30H26z'), path(INK.white, 'M33 68l7 7-6 4zM47 68l-7 7 6 4z')),
    lift(2, line(INK.brick, 1.6, 'M30 76l-2 28M50 76l2 28')),
  ],
  hair: [
    lift(2, path(INK.red, 'M24.500 46q0-21 15.500-21t15.500 21q-4-11-15.500-11t-15.500 11z')),
    lift(3, path(INK.red, 'M24.500 49q1 18 15.500 18t15.500-18q-3 6-9 5-6.500-2.500-13 0-6 1-9-5z')),
    lift(
      4,
      path(INK.night, 'M22 32q18-20 36 0l5 4.500q-23-4-46 0z'),
      path('#33475a', 'M22 32q18 4 36 0l1.500 1.600q-19.500 3.500-39 0z'),
    ),
  ],
});

const maud = drawPortrait({
  name: 'maud-lescure',
  wall: '#e9b79d',
  halo: INK.rose,
  skin: '#f8dfcc',
  cheeks: '#eba791',
  behind: [
    lift(1, rect(INK.sky, 58, 12, 15, 20)),
    lift(2, rect(INK.cream, 55, 15, 15, 20)),
    lift(2, rect(INK.white, 52, 18, 15, 20)),
  ],
  backHair: [lift(2, path(INK.night, 'M20 72q-6-52 20-52t20 52q-20 5-40 0z'))],
  clothes: [
    lift(3, path(INK.red, SHOULDERS)),
    lift(2, path(INK.brick, 'M30 71q10 13 20 0l3 4q-13 15-26 0z')),
    lift(2, circle(INK.gold, 40, 83, 2)),
  ],
  hair: [lift(3, path(INK.night, 'M21 66q-4-45 19-45t19 45q-4 2-5-1 1-20-3-29-11 5-22 0-4 9-3 29-1 3-5 1z'))],
});

const bram = drawPortrait({
  name: 'bram-oosterveld',
  wall: INK.sky,
  halo: '#d7e6e4',
  skin: '#f2cdb6',
  cheeks: '#e4977c',
  behind: [
    lift(
      3,
      path(
        INK.red,
        'M8 12h4v10q2-3 5-3 6 0 6 7t-6 7q-3 0-5-3v2.500H8zM16 22.500q-3.500 0-3.500 3.500t3.500 3.500 3.500-3.500-3.500-3.500z',
        'fill-rule="evenodd"',
      ),
    ),
  ],
  clothes: [
    lift(3, path(INK.cream, SHOULDERS), line('#e2d4bb', 0.8, 'M20 84v20M28 80v24M52 80v24M60 84v20')),
    lift(3, path(INK.teal, 'M29 71l11 10 11-10 5 4-16 14-16-14z')),
  ],
  hair: [
    lift(3, path(INK.ochre, 'M24 46q-4-24 16-24.500 20 .5 16 24.500-2-10-7-12-11 3-20-2-4 4-5 14z')),
    lift(2, path(INK.gold, 'M28 28q10-7 22-1-11-1.500-22 1z')),
  ],
});

const hana = drawPortrait({
  name: 'hana-kovarova',
  wall: INK.teal,
  halo: '#3d7f82',
  skin: '#efc7b0',
  cheeks: '#dd8c72',
  behind: [lift(2, line(INK.rose, 0.8, 'M8 88q2-40 12-76')), lift(2, path(INK.cream, 'M20 12q4-6 3-10-5 4-3 10z'))],
  clothes: [
    lift(3, path(INK.ochre, SHOULDERS)),
    lift(3, path(INK.red, 'M22 86h36v18H22z'), line(INK.red, 2.2, 'M31 72l-3 15M49 72l3 15')),
    press(line(INK.cream, 0.5, 'M25 89h30', 'stroke-dasharray="1.200 1"')),
  ],
  hair: [
    lift(3, circle('#8a4f33', 40, 17, 8.5)),
    lift(3, path('#8a4f33', 'M23.500 48q-4-26 16.500-26t16.500 26q-2-11-8-14-10 5-18 0-5.500 3-7 14z')),
    press(line('#6d3a24', 0.5, 'M34 15q6-5 12 0M33 19q7 4 14 0')),
  ],
});

const leela = drawPortrait({
  name: 'leela-menon',
  wall: INK.red,
  halo: '#df6246',
  skin: '#c98a63',
  cheeks: '#b0613f',
  behind: [
    lift(2, circle(INK.ochre, 14, 18, 6.5)),
    lift(2, circle(INK.teal, 22, 26, 6.5)),
    lift(2, circle(INK.rose, 12, 29, 5)),
  ],
  backHair: [lift(2, path(INK.night, 'M19 84q-6-64 21-64t21 64q-21 6-42 0z'))],
  clothes: [
    lift(3, path(INK.sage, SHOULDERS)),
    lift(2, path(INK.gold, 'M14 104q4-22 16-31l3.500 2q-11 10-13 29z')),
    lift(2, line(INK.gold, 0.9, 'M31 73q9 9 18 0')),
  ],
  hair: [
    lift(
      3,
      path(INK.night, 'M22 76q-7-55 18-55t18 55q-5-1-5-7 3-22-2-32-5-2.500-11-9-6 6.500-11 9-5 10-2 32 0 6-5 7z'),
    ),
  ],
  before: [
    lift(1, circle(INK.red, 40, 38.5, 0.9)),
    lift(2, circle(INK.gold, 24.4, 51, 1.2), circle(INK.gold, 55.6, 51, 1.2)),
  ],
});

const yusuf = drawPortrait({
  name: 'yusuf-adeyemi',
  wall: INK.cream,
  halo: '#eadcc2',
  skin: '#6a412d',
  cheeks: '#8c4a30',
  behind: [
    lift(2, path(INK.sky, 'M-2 66h84v40H-2z')),
    lift(2, path(INK.red, 'M60 66V46l8-8 8 8v20z'), rect(INK.gold, 65.5, 52, 5, 6)),
    lift(2, path(INK.teal, 'M4 66V52l6-6 6 6v14z'), rect(INK.gold, 8, 56, 4, 4)),
  ],
  clothes: [
    lift(3, path(INK.teal, SHOULDERS)),
    lift(3, path(INK.ochre, 'M26 73q14 10 28 0l4 6q-18 11-36 0z')),
    lift(2, path('#c98d31', 'M44 79l8-1 3 20-8 2z')),
  ],
  hair: [
    lift(3, path(INK.night, 'M24.500 43q-1-21 15.500-21t15.500 21q-3-10-15.500-10t-15.500 10z')),
    lift(
      2,
      path(INK.night, 'M28.500 55q11.500-6 23 0-1 11-11.500 11t-11.500-11z'),
      path('#e6a68c', 'M36.300 57.200q3.700 2.800 7.400 0-3.700-1.600-7.400 0z'),
    ),
  ],
});

export const PORTRAITS: readonly Picture[] = [elspeth, tobias, maud, bram, hana, leela, yusuf];
