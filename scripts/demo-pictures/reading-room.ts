// Books: on the shelf, under the needle, and in the reader's chair.

import { at, circle, drawPaper, gradient, INK, lift, line, type Picture, paint, path, press, rect } from './paper.ts';
import { createRandom } from './random.ts';

const repairShelf = drawPaper({
  file: 'repair-shelf.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 22, y: 12, strength: 0.65 },
  layers: [
    paint(rect('#e9bfa6', -2, -2, 124, 84)),
    paint(...wallpaper()),
    ...shelf(38, 4, 24, 31),
    ...shelf(77, 9, 25, 33),
  ],
});

function wallpaper(): readonly string[] {
  return Array.from({ length: 17 }, (_, index) => rect('#e4b499', index * 7.5, -2, 2.4, 84));
}

function shelf(bottom: number, seed: number, least: number, most: number) {
  const random = createRandom(seed);
  const books: string[] = [];
  const marks: string[] = [];
  const colours = [
    INK.red,
    INK.teal,
    INK.ochre,
    INK.cream,
    INK.night,
    INK.sage,
    INK.brick,
    INK.dusk,
    INK.white,
    INK.moss,
  ];
  let x = random.between(4, 8);
  let previous = '';
  while (x < 108) {
    const width = random.between(3.6, 8.5);
    const height = random.between(least, most);
    const colour = random.pick(colours.filter((each) => each !== previous));
    previous = colour;
    const leans = random.between(0, 1) > 0.88 ? -7 : 0;
    books.push(at(x + (leans ? 2.6 : 0), bottom, rect(colour, 0, -height, width, height, 0.5), leans));
    marks.push(at(x + (leans ? 2.6 : 0), bottom, spine(random.between(0, 1), width, height, colour), leans));
    x += width + 0.25 + (leans ? 4 : 0) + (random.between(0, 1) > 0.93 ? random.between(5, 9) : 0);
  }
  return [
    lift(3, ...books),
    press(...marks),
    lift(4, rect('#2b2019', -4, bottom, 128, 3.6), rect('#4a382b', -4, bottom, 128, 0.9)),
  ];
}

function spine(kind: number, width: number, height: number, colour: string): string {
  const isLight = colour === INK.cream || colour === INK.white || colour === INK.ochre || colour === INK.sage;
  const foil = isLight ? INK.brick : INK.gold;
  const bands =
    rect(foil, 0, -height + 2.2, width, 0.5) +
    rect(foil, 0, -height + 3.4, width, 0.25) +
    rect(foil, 0, -3.4, width, 0.5);
  if (kind < 0.3)
    return bands + rect(isLight ? INK.night : INK.cream, width * 0.14, -height * 0.78, width * 0.72, height * 0.2, 0.2);
  if (kind < 0.55)
    return (
      bands + circle(foil, width / 2, -height * 0.6, width * 0.2) + circle(foil, width / 2, -height * 0.4, width * 0.12)
    );
  if (kind < 0.8) return bands + rect(foil, width / 2 - 0.3, -height * 0.75, 0.6, height * 0.45, 0.3);
  return [0.2, 0.4, 0.6, 0.8].map((share) => rect(foil, 0, -height * share, width, 0.45)).join('');
}

const threadAndNeedle = drawPaper({
  file: 'thread-and-needle.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 30, y: 10, strength: 0.6 },
  layers: [
    paint(rect('#93b194', -2, -2, 124, 84)),
    lift(
      1,
      at(
        60,
        42,
        rect('#84a588', -57, -36, 114, 72, 1) +
          Array.from({ length: 18 }, (_, index) => rect('#8fae91', -54 + index * 6.2, -34, 0.25, 68)).join('') +
          Array.from({ length: 11 }, (_, index) => rect('#8fae91', -54, -33 + index * 6.2, 108, 0.25)).join(''),
        -1,
      ),
    ),
    lift(3, path(INK.teal, 'M15 24l45-7 45 7v45l-45-7-45 7z')),
    lift(2, path('#e8dcc4', 'M18 23.500l42-6.500 42 6.500v42.500l-42-6.500-42 6.500z')),
    lift(2, path(INK.cream, 'M20.500 21.500l39.500-6 39.500 6v42.500l-39.500-6-39.500 6z')),
    lift(3, path(INK.white, 'M23 19.500q19-7 37-4.500 18-2.500 37 4.500v42q-19-6.500-37-4-18-2.500-37 4z')),
    paint(
      path(
        '#d9cbb2',
        'M60 15q-5-.6-9 0 6 .5 9 3 3-2.500 9-3-4-.6-9 0v42.500q3-2 9-2.600-5-.5-9 .4-4-.9-9-.4 6 .6 9 2.600z',
        'opacity=".8"',
      ),
    ),
    press(line('#b9c7c2', 0.7, textLines(29, 25, 24, -0.16) + textLines(67, 21.4, 24, 0.16))),
    lift(2, line(INK.red, 0.95, 'M60 20v9M60 33v10M60 47v7')),
    lift(
      3,
      line(INK.red, 0.95, 'M60 43C74 66 92 76 105 60S92 30 104 19'),
      line(INK.red, 0.95, 'M60 33q-16 6-18 24t-14 15-13-8'),
    ),
    press(...[20, 29, 33, 43, 47, 54].map((y) => circle(INK.night, 60, y, 0.75))),
    lift(
      4,
      path('#dfe6e8', 'M101 27l6.800-19.500q1-2 1.200.4L103 28q-1.400 1.200-2-1z'),
      line('#60707c', 0.35, 'M107.300 10.200l-.9 2.600'),
    ),
    lift(
      4,
      at(
        14,
        13,
        circle(INK.brick, 0, 0, 6.5) +
          circle(INK.red, 0, 0, 5.2) +
          circle(INK.brick, 0, 0, 4, 'opacity=".6"') +
          circle(INK.cream, 0, 0, 2.2) +
          circle(INK.night, 0, 0, 0.8),
      ),
    ),
    lift(3, at(97, 74, path(INK.ochre, 'M-10 -1.500q10-3 20 0 3 1.500 0 3-10 3-20 0-3-1.500 0-3z'), -14)),
  ],
});

function textLines(x: number, y: number, width: number, slope: number): string {
  const lengths = [1, 0.94, 1, 0.9, 0.97, 0.6, 1, 0.92, 0.98, 0.5];
  return lengths
    .map((length, index) => `M${x} ${y + index * 3.1}l${width * length} ${slope * width * length}`)
    .join('');
}

const readingChair = drawPaper({
  file: 'reading-chair.jpg',
  width: 1800,
  height: 1200,
  units: 120,
  light: { x: 74, y: 38, strength: 0.85 },
  definitions: `${gradient('room', '#2c6a6f', '#1f5056')}${gradient('dusk', '#5d7f95', '#f0c9a4')}<linearGradient id="glow" x2="0" y2="1"><stop stop-color="#ffe3a0" stop-opacity=".62"/><stop offset="1" stop-color="#ffe3a0" stop-opacity="0"/></linearGradient>`,
  layers: [
    paint(rect('url(#room)', -2, -2, 124, 84)),
    lift(1, rect('#265f65', -4, 58, 128, 1)),
    lift(2, rect(INK.cream, 9, 7, 42, 46)),
    paint(
      rect('url(#dusk)', 11.5, 9.5, 37, 41),
      circle('#fff1cf', 37, 22, 5.5),
      path('#8fa58f', 'M11.500 41q9-7 18-3t19-3v15.500h-37z'),
      path('#5c7f70', 'M11.500 46q12-6 20-2t17-2v8.500h-37z'),
    ),
    lift(2, line(INK.cream, 1.5, 'M30 9v42M11 29h38')),
    lift(3, rect('#e3d3b8', 7, 52, 46, 2.6)),
    lift(3, path(INK.blush, 'M5 5h8q1 22-4 47H3q2-24 2-47zM55 5h-8q-1 22 4 47h6q-2-24-2-47z')),
    lift(2, rect(INK.wood, 2, 4, 56, 1.3, 0.6)),
    lift(
      2,
      rect(INK.ochre, 66, 8, 13, 16),
      rect(INK.cream, 67.5, 9.5, 10, 13),
      circle(INK.red, 72.5, 15, 3.4),
      rect(INK.night, 104, 12, 11, 9),
      rect(INK.sky, 105.2, 13.2, 8.6, 6.6),
    ),
    lift(2, path('#16323a', 'M-4 70h128v14H-4z'), path('#1d3f48', 'M-4 74h128v.4H-4zM-4 78h128v.4H-4z')),
    lift(
      1,
      `<ellipse cx="78" cy="75.500" rx="36" ry="5" fill="${INK.brick}"/><ellipse cx="78" cy="75.500" rx="33" ry="4.200" fill="${INK.rose}"/><ellipse cx="78" cy="75.500" rx="30" ry="3.500" fill="${INK.brick}"/>`,
    ),
    paint(path('url(#glow)', 'M93 25L66 76h50L101 25z')),
    lift(3, line('#e8dcc4', 0.9, 'M108 74V22q0-4-4-4h-7'), rect('#e8dcc4', 103, 73.5, 10, 1.6, 0.8)),
    lift(4, path(INK.ochre, 'M89 26.500l3.500-10.500h9l3.500 10.500z'), path(INK.gold, 'M89 26.500l.7-2h14.600l.7 2z')),
    lift(3, path('#241813', 'M58 68h3l-1 6h-2zM90 68h3l.5 6h-2z')),
    lift(4, path(INK.brick, 'M57 69V42q0-10 10-10h8q9 0 9 10v27z')),
    lift(3, path(INK.red, 'M66 60h26v9H66z'), path('#e0593d', 'M66 58q0-3 3-3h22q4 0 4 3.500t-4 3.500H66z')),
    lift(4, path(INK.red, 'M53 57q0-5 5-5t5 5v13H53zM88 57q0-5 5-5t5 5v13H88z')),
    lift(3, path(INK.gold, 'M66 40h11q2 0 2 2v11q-7 2-14 0V41z'), line(INK.ochre, 0.5, 'M68 43l8 8M76 43l-8 8')),
    lift(3, path(INK.white, 'M70 54.500l8-3 8 3v2.400l-8-2.600-8 2.600z')),
    lift(
      3,
      path(INK.cream, 'M34 66h8v3h-8zM33 63h8v3h-8z'),
      path(INK.teal, 'M35 60.500h8v2.500h-8z'),
      path(INK.wood, 'M28 69h19v1.600H28zM30 70.600h1.600v6H30zM43.500 70.600h1.600v6h-1.600z'),
    ),
    lift(
      4,
      path(INK.rose, 'M13 66h9l-1.500 10h-6z'),
      ...[-38, -20, -4, 14, 30].map((turn, index) =>
        at(17.5, 66, path(index % 2 ? '#3f7d5f' : '#4f9069', 'M0 0q-5-8 0-19q5 11 0 19z'), turn),
      ),
    ),
  ],
});

export const READING_ROOM: readonly Picture[] = [repairShelf, threadAndNeedle, readingChair];
