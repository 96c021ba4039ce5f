// The metadata of the demo magazine's pictures: alternative texts, focal points in percent, folders and tags.

export interface DemoAsset {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly focalPoint: readonly [number, number];
  readonly folder: string;
  readonly tags: readonly string[];
}

export const DEMO_ASSETS: readonly DemoAsset[] = [
  {
    id: 'a_hills',
    file: 'mill-in-the-valley.jpg',
    name: 'The mill in the valley',
    description:
      'Cut-paper picture of a white mill with a red roof and a water wheel, beside a stream between green hills, under a large red sun',
    focalPoint: [36, 70],
    folder: 'places',
    tags: ['landscape', 'paper'],
  },
  {
    id: 'a_letter_a',
    file: 'three-letters.jpg',
    name: 'Three letters',
    description:
      'A capital A and a lower-case a and b, cut from coloured paper, on a sheet of ochre with dashed guide lines',
    focalPoint: [50, 60],
    folder: 'letters',
    tags: ['type'],
  },
  {
    id: 'a_type_case',
    file: 'type-case.jpg',
    name: 'Type case',
    description:
      'A wooden type case from above, with dozens of small pieces of type in each compartment, sorted by colour',
    focalPoint: [50, 50],
    folder: 'workshop',
    tags: ['type', 'tools'],
  },
  {
    id: 'a_press',
    file: 'hand-press.jpg',
    name: 'Hand press',
    description: 'A dark hand press with a long red lever, a sheet of paper on its bed and fresh prints beside it',
    focalPoint: [50, 45],
    folder: 'workshop',
    tags: ['press', 'tools'],
  },
  {
    id: 'a_windows',
    file: 'courtyard-front.jpg',
    name: 'Courtyard front',
    description:
      'A red brick house with three rows of windows, some of them lit, flower boxes and washing on a line; somebody is reading at a window',
    focalPoint: [21, 24],
    folder: 'places',
    tags: ['town'],
  },
  {
    id: 'a_bridge',
    file: 'three-arches.jpg',
    name: 'Three arches',
    description: 'A small red sailing boat under the middle arch of a dark stone bridge, with a low sun behind it',
    focalPoint: [51, 68],
    folder: 'places',
    tags: ['landscape', 'water'],
  },
  {
    id: 'a_sheets',
    file: 'drying-loft.jpg',
    name: 'Drying loft',
    description: 'Sheets of handmade paper on three lines in a loft, in the light of a round-topped window',
    focalPoint: [50, 62],
    folder: 'workshop',
    tags: ['paper'],
  },
  {
    id: 'a_books',
    file: 'repair-shelf.jpg',
    name: 'Repair shelf',
    description: 'Two shelves of books in red, teal, ochre and cream, a few of them leaning',
    focalPoint: [45, 55],
    folder: 'workshop',
    tags: ['books'],
  },
  {
    id: 'a_overprint',
    file: 'overprint.jpg',
    name: 'Overprint',
    description:
      'Three overlapping circles of transparent ink in red, ochre and teal, with fields of dots and register marks',
    focalPoint: [50, 50],
    folder: 'prints',
    tags: ['colour', 'press'],
  },
  {
    id: 'a_thread',
    file: 'thread-and-needle.jpg',
    name: 'Needle and thread',
    description: 'An open booklet on a cutting mat; a red thread runs through its fold to a needle',
    focalPoint: [50, 45],
    folder: 'workshop',
    tags: ['books', 'tools'],
  },
  {
    id: 'a_marble',
    file: 'marbled-waves.jpg',
    name: 'Marbled waves',
    description: 'Marbled paper: inks in red, teal, ochre, rose and black, combed into long waves',
    focalPoint: [50, 50],
    folder: 'prints',
    tags: ['colour', 'paper'],
  },
  {
    id: 'a_harbour',
    file: 'evening-boat.jpg',
    name: 'The evening boat',
    description:
      'A black and red ferry on teal paper waves, and a striped lighthouse whose beam crosses the evening sky',
    focalPoint: [30, 60],
    folder: 'places',
    tags: ['landscape', 'water'],
  },
  {
    id: 'a_night',
    file: 'night-shift.jpg',
    name: 'Night shift',
    description:
      'A red print shop at night, under a crescent moon and many stars; people work inside, behind lit windows',
    focalPoint: [45, 78],
    folder: 'places',
    tags: ['night', 'press', 'town'],
  },
  {
    id: 'a_plants',
    file: 'dye-plants.jpg',
    name: 'Dye plants',
    description:
      'Three tall plants cut from paper: one with a red flower, one with a yellow spike, one with a blue umbel',
    focalPoint: [50, 30],
    folder: 'prints',
    tags: ['colour', 'plants'],
  },
  {
    id: 'a_streets',
    file: 'street-map.png',
    name: 'Street map',
    description: 'A map of a town of paper blocks with a river, and a dotted red route between two pins',
    focalPoint: [44, 54],
    folder: 'places',
    tags: ['town'],
  },
  {
    id: 'a_roller',
    file: 'ink-roller.jpg',
    name: 'Ink roller',
    description: 'An ink roller with a red handle that has drawn a broad teal band across a white sheet',
    focalPoint: [58, 50],
    folder: 'workshop',
    tags: ['colour', 'tools'],
  },
  {
    id: 'a_modular',
    file: 'modular-alphabet.png',
    name: 'Modular alphabet',
    description: 'A grid of quarter circles, triangles, rings and arches in six colours on a dark ground',
    focalPoint: [50, 50],
    folder: 'letters',
    tags: ['type'],
  },
  {
    id: 'a_reader',
    file: 'reading-chair.jpg',
    name: 'Reading chair',
    description: 'A red armchair with an open book under a yellow lamp, beside a window at dusk',
    focalPoint: [64, 62],
    folder: 'places',
    tags: ['books'],
  },
  portrait('elspeth', 'elspeth-garrow', 'Elspeth Garrow', 'with white hair and red glasses'),
  portrait('tobias', 'tobias-wren', 'Tobias Wren', 'with a red beard and a dark hat'),
  portrait('maud', 'maud-lescure', 'Maud Lescure', 'with straight black hair and a red jumper'),
  portrait('bram', 'bram-oosterveld', 'Bram Oosterveld', 'with fair hair and a cream jumper'),
  portrait('hana', 'hana-kovarova', 'Hana Kovářová', 'with her hair in a bun and a red apron'),
  portrait('leela', 'leela-menon', 'Leela Menon', 'with long black hair and gold earrings'),
  portrait('yusuf', 'yusuf-adeyemi', 'Yusuf Adeyemi', 'with a short beard and an ochre scarf'),
];

function portrait(id: string, file: string, name: string, looks: string): DemoAsset {
  return {
    id: `a_portrait_${id}`,
    file: `portrait-${file}.jpg`,
    name: `Portrait of ${name}`,
    description: `Cut-paper portrait of ${name}, ${looks}`,
    focalPoint: [50, 46],
    folder: 'people',
    tags: ['portrait'],
  };
}
