import { describe, expect, test } from 'vitest';
import type { ImageSource } from './image-source.ts';
import { planQuery } from './pictures.fixture.ts';
import type { ImagePlan, PlanContext } from './plan-image.ts';

function buildSource(width: number, height: number, facts: Partial<ImageSource> = {}): ImageSource {
  return { format: 'jpeg', width, height, orientation: 1, pages: 1, hasAlpha: false, isGreyscale: false, ...facts };
}

const PHOTO = buildSource(600, 400);

function plan(query: string, source = PHOTO, context?: Partial<PlanContext>): ImagePlan {
  const planned = planQuery(query, source, context);
  if (typeof planned === 'string') throw new Error(planned);
  return planned;
}

describe('the size of a result', () => {
  test.each([
    ['', 600, 400],
    ['w=300', 300, 200],
    ['h=100', 150, 100],
    ['w=1200', 1200, 800],
    ['w=7', 7, 5],
    ['w=1', 1, 1],
    ['w=300&h=300', 300, 200],
    ['w=300&h=100', 150, 100],
    ['w=1200&h=1200', 1200, 800],
    ['fit=max&w=300&h=300', 300, 200],
    ['fit=max&w=1200&h=1200', 600, 400],
    ['fit=max&w=1200&h=100', 150, 100],
    ['fit=max&w=1200', 600, 400],
    ['fit=max&h=1200', 600, 400],
    ['fit=max&w=60', 60, 40],
    ['fit=fill&w=300&h=300', 300, 300],
    ['fit=fill&w=1200&h=900', 1200, 900],
    ['fit=fill&w=1200', 1200, 800],
    ['fit=fill-max&w=1200&h=900', 1200, 900],
    ['fit=fill-max&w=1200', 1200, 800],
    ['fit=stretch&w=10&h=900', 10, 900],
    ['fit=stretch&w=300', 300, 200],
    ['fit=crop&w=176&h=176', 176, 176],
    ['fit=cover&w=1760&h=176', 1760, 176],
    ['fit=crop&w=600', 600, 400],
    ['fit=crop&w=1200', 1200, 800],
    ['fit=crop-10-90-7.5&w=33&h=44', 33, 44],
    ['fit=crop-10-90-7.5&w=33', 33, 22],
    ['fit=crop-10-90-7.5', 600, 400],
    ['fit=crop&w=176&h=176&dpr=2', 352, 352],
    ['w=100&dpr=1.5', 150, 100],
    ['dpr=2', 600, 400],
    ['crop=100,50,0,0', 100, 50],
    ['crop=100,50,500,350&w=50', 50, 25],
    ['or=90', 400, 600],
    ['or=270&w=100', 100, 150],
    ['or=180', 600, 400],
    ['crop=100,50,0,0&or=90', 50, 100],
    ['border=10,red,expand', 620, 420],
    ['border=10,red,shrink', 600, 400],
    ['border=10,red', 600, 400],
    ['border=10w,red,expand', 720, 520],
    ['border=10h,red,expand', 680, 480],
    ['w=300&border=10w,red,expand', 360, 260],
    ['w=100&dpr=2&border=10,red,expand', 220, 153],
  ])('%j is %d × %d', (query, width, height) => {
    expect(plan(query)).toMatchObject({ width, height });
  });

  test('keeps the given side of very wide or very tall pictures', () => {
    expect(plan('w=480', buildSource(1000, 3))).toMatchObject({ width: 480, height: 1 });
    expect(plan('fit=max&w=480', buildSource(1000, 3))).toMatchObject({ width: 480, height: 1 });
    expect(plan('fit=fill&w=480', buildSource(1000, 3))).toMatchObject({ width: 480, height: 1 });
    expect(plan('h=1', buildSource(1, 8000))).toMatchObject({ width: 1, height: 1 });
  });

  test('is calculated after applying the EXIF orientation', () => {
    const sideways = buildSource(400, 600, { orientation: 6 });
    expect(plan('w=100', sideways)).toMatchObject({ width: 100, height: 150 });
    expect(plan('or=0&w=100', sideways)).toMatchObject({ width: 100, height: 67 });
    expect(plan('or=90&w=100', sideways)).toMatchObject({ width: 100, height: 150 });
  });

  test('is at most 40 megapixels', () => {
    expect(plan('fit=stretch&w=8000&h=5000')).toMatchObject({ width: 8000, height: 5000 });
    expect(planQuery('fit=stretch&w=8000&h=5001', PHOTO)).toBe(
      'The result would have 40.1 megapixels (8000 × 5001); at most 40 are allowed.',
    );
    expect(planQuery('w=4000&dpr=2', PHOTO)).toContain('42.7 megapixels (8000 × 5333)');
    expect(planQuery('fit=stretch&w=8000&h=5000&border=1,red,expand', PHOTO)).toContain('(8002 × 5002)');
  });

  test('is refused if the original has more than 120 megapixels', () => {
    expect(plan('w=10', buildSource(12_000, 10_000))).toMatchObject({ width: 10 });
    expect(planQuery('w=10', buildSource(30_000, 30_000))).toBe(
      'The original has 900 megapixels; at most 120 are allowed.',
    );
  });
});

describe('crop', () => {
  test('is refused if it is not within the picture', () => {
    expect(plan('crop=600,400,0,0')).toMatchObject({ picture: { cut: null } });
    expect(plan('crop=1,1,599,399').picture.cut).toEqual({ left: 599, top: 399, width: 1, height: 1 });
    expect(planQuery('crop=10,10,591,0', PHOTO)).toBe(
      'The crop parameter is "10,10,591,0"; it must be W,H,X,Y within the picture, which is 600 × 400 pixels.',
    );
    for (const crop of ['10,10,0,391', '601,1,0,0', '1,401,0,0', '1,1,600,0']) {
      expect(planQuery(`crop=${crop}`, PHOTO)).toContain(`The crop parameter is "${crop}"`);
    }
  });

  test('refers to the picture as a viewer sees it', () => {
    const sideways = buildSource(400, 600, { orientation: 6 });
    // The right edge of what a viewer sees is the first row of the stored pixels.
    expect(plan('crop=10,20,390,0', sideways).picture.cut).toEqual({ left: 0, top: 0, width: 20, height: 10 });
    expect(planQuery('crop=401,1,0,0', sideways)).toContain('400 × 600 pixels');
  });
});

describe('the window of fit=crop', () => {
  const SQUARE = 'w=100&h=100';

  test.each([
    ['crop-top-left', 0, 0],
    ['crop-left', 0, 0],
    ['crop-center', 25, 0],
    ['crop-right', 50, 0],
    ['crop-bottom-right', 50, 0],
    ['crop', 25, 0],
    ['crop-40-0', 10, 0],
    ['crop-100-100', 50, 0],
  ])('%s keeps the part from %d, %d', (fit, left, top) => {
    expect(plan(`fit=${fit}&${SQUARE}`).picture).toMatchObject({
      scaled: { width: 150, height: 100 },
      window: { left, top, width: 100, height: 100 },
    });
  });

  test.each([
    [{ x: 0, y: 50 }, 0],
    [{ x: 40, y: 50 }, 10],
    [{ x: 99, y: 1 }, 50],
  ])('is centred on the focal point %j', (focalPoint, left) => {
    expect(plan(`fit=crop&${SQUARE}`, PHOTO, { focalPoint }).picture.window).toMatchObject({ left });
    expect(plan(`fit=crop-center&${SQUARE}`, PHOTO, { focalPoint }).picture.window).toMatchObject({ left: 25 });
  });

  test('follows the focal point through crop, rotation and flip', () => {
    const focalPoint = { x: 90, y: 50 };
    const left = (query: string): number | undefined =>
      plan(`fit=crop&${SQUARE}&${query}`, PHOTO, { focalPoint }).picture.window?.left;
    // The point is at 240 of 300.
    expect(left('crop=300,200,300,100')).toBe(50);
    // The point is to the right of the rectangle.
    expect(left('crop=300,200,0,0')).toBe(50);
    expect(left('flip=h')).toBe(0);
    expect(left('or=180')).toBe(0);
    expect(plan(`fit=crop&${SQUARE}&or=90`, PHOTO, { focalPoint }).picture.window).toMatchObject({ left: 0, top: 0 });
    expect(plan(`fit=crop&${SQUARE}&or=270`, PHOTO, { focalPoint }).picture.window).toMatchObject({ left: 0, top: 50 });
  });

  test('limits how much of the original is read if the picture is enlarged', () => {
    const { picture } = plan('fit=crop-50-50-100&w=8000&h=100');
    const { cut, scaled } = picture;
    if (cut === null || scaled === null) throw new Error('Nothing is cut');
    expect(cut.width).toBeLessThan(20);
    const whole = 800_000 * 533_333;
    expect(scaled.width * scaled.height).toBeLessThan(whole / 1000);
  });
});

describe('padding', () => {
  test.each([
    ['fit=fill&w=300&h=300', { left: 0, top: 50, right: 0, bottom: 50 }],
    ['fit=fill&w=300&h=203', { left: 0, top: 1, right: 0, bottom: 2 }],
    ['fit=fill&w=700&h=450', { left: 50, top: 25, right: 50, bottom: 25 }],
    ['fit=fill&w=1200', { left: 300, top: 200, right: 300, bottom: 200 }],
    ['fit=fill-max&w=1200&h=900', { left: 0, top: 50, right: 0, bottom: 50 }],
    ['fit=fill&w=300&h=200', null],
    ['fit=contain&w=300&h=300', null],
  ])('of %j is %j', (query, padding) => {
    expect(plan(query).picture.padding).toEqual(padding);
  });

  test('is white in formats without transparency and otherwise transparent, unless bg is set', () => {
    const box = 'fit=fill&w=300&h=300';
    expect(plan(box).backdrop).toEqual({ red: 255, green: 255, blue: 255, alpha: 255 });
    expect(plan(`${box}&fm=png`)).toMatchObject({ backdrop: null, isOpaque: false });
    expect(plan(`${box}&fm=png&bg=red`)).toMatchObject({ backdrop: { red: 255, green: 0 }, isOpaque: true });
    expect(plan(`${box}&bg=transparent`).backdrop).toEqual({ red: 255, green: 255, blue: 255, alpha: 255 });
  });

  test('must exist for bg to affect the plan', () => {
    expect(plan('w=300&bg=red')).toEqual(plan('w=300'));
  });
});

describe('a border', () => {
  test('is refused if it leaves nothing of the picture', () => {
    expect(planQuery('w=100&h=50&fit=crop&border=25,red,shrink', PHOTO)).toBe(
      'The border parameter asks for 25 pixels on each side, which leaves no room for the picture within 100 × 50 pixels.',
    );
    expect(plan('w=100&h=50&fit=crop&border=24,red,shrink').border).toMatchObject({ width: 24 });
  });

  test('covers at most the whole picture', () => {
    expect(plan('w=100&h=51&fit=crop&border=8000,red').border).toMatchObject({ width: 26 });
  });
});

describe('a mark', () => {
  const mark = buildSource(100, 50, { format: 'png', hasAlpha: true });
  const place = (query: string) => plan(`mark=a&${query}`, PHOTO, { mark }).mark;

  test.each([
    ['', 500, 350],
    ['markpos=top-left', 0, 0],
    ['markpos=top', 250, 0],
    ['markpos=center', 250, 175],
    ['markpos=right', 500, 175],
    ['markpos=bottom-left&markx=10&marky=20', 10, 330],
    ['markpad=15', 485, 335],
    ['markpad=10w', 440, 290],
    ['markx=10h', 460, 350],
    ['markw=50', 550, 375],
    ['markw=50w', 300, 250],
    ['markw=50w&markh=10h&markfit=stretch', 300, 360],
    ['markw=40&markh=40&markfit=crop', 560, 360],
    ['markw=400&markh=400&markfit=max', 500, 350],
  ])('with %j is at %d, %d', (query, left, top) => {
    expect(place(query)).toMatchObject({ left, top });
  });

  test('is cut off at the edges', () => {
    expect(place('markw=100w&markh=100h&markfit=stretch&markpos=top-left&markx=599')).toMatchObject({
      left: 599,
      top: 0,
      visible: { left: 0, top: 0, width: 1, height: 400 },
    });
    expect(place('markpos=bottom-right&markx=550')).toMatchObject({ left: 0, visible: { left: 50, width: 50 } });
    expect(place('markpos=top-left&markx=600')).toBeNull();
  });

  test('is refused if there is no such image', () => {
    expect(planQuery('mark=a_9', PHOTO)).toBe(
      'The mark parameter is "a_9"; it must be the id of an image in this site that you are allowed to see.',
    );
  });

  test('is refused if it is too large', () => {
    expect(planQuery('mark=a&markw=8192', PHOTO, { mark: buildSource(100, 100) })).toContain('67.2 megapixels');
    expect(planQuery('mark=a', PHOTO, { mark: buildSource(30_000, 30_000) })).toContain('900 megapixels');
  });
});

describe('an animation', () => {
  const animation = buildSource(600, 400, { format: 'gif', pages: 20, hasAlpha: true });
  const isAnimated = (query: string, source = animation, context?: Partial<PlanContext>): boolean =>
    plan(query, source, context).isAnimated;

  test.each([
    '',
    'w=100',
    'w=100&h=100&fit=crop',
    'w=100&h=100&fit=fill&bg=red',
    'fm=webp',
    'fm=webp&q=5',
    'bg=red',
    'or=0',
  ])('stays animated with %j', (query) => {
    expect(isAnimated(query)).toBe(true);
  });

  test.each([
    ...['fm=png', 'fm=jpg', 'fm=avif', 'crop=10,10,0,0', 'or=90', 'flip=h', 'bri=5', 'blur=1', 'pixel=2', 'filt=sepia'],
    ...['border=1,red', 'fit=crop-50-50-2&w=10&h=10', 'bg=80ff0000&fm=jpg'],
  ])('becomes its first frame with %j', (query) => {
    expect(isAnimated(query)).toBe(false);
  });

  test('becomes WebP with fm=auto if the client accepts that', () => {
    const accepted = new Set(['avif', 'webp'] as const);
    expect(plan('fm=auto', animation, { accepted })).toMatchObject({ format: 'webp', isAnimated: true });
    expect(plan('fm=auto&bri=1', animation, { accepted })).toMatchObject({ format: 'avif', isAnimated: false });
    expect(plan('fm=auto', animation)).toMatchObject({ format: 'gif', isAnimated: true });
  });

  test('is refused if its frames are too large in total', () => {
    const long = buildSource(600, 400, { format: 'gif', pages: 600, hasAlpha: true });
    expect(planQuery('w=100', long)).toBe('The original has 144 megapixels in 600 frames; at most 120 are allowed.');
    expect(plan('w=100&fm=png', long)).toMatchObject({ width: 100 });
    expect(planQuery('w=4000', animation)).toContain('The result would have 20 frames with 213.4 megapixels');
  });

  test('is not assumed for a document with several pages', () => {
    expect(isAnimated('w=100&fm=gif', buildSource(60, 40, { format: 'tiff', pages: 3 }))).toBe(false);
  });
});

test('a plan is frozen', () => {
  const planned = plan('w=100&h=100&fit=crop&border=3,red');
  expect(Object.isFrozen(planned)).toBe(true);
  expect(Object.isFrozen(planned.picture.window)).toBe(true);
  expect(Object.isFrozen(planned.border?.colour)).toBe(true);
});

test('quality has a default for each format', () => {
  expect(plan('')).toMatchObject({ format: 'jpg', quality: 85 });
  expect(plan('fm=webp').quality).toBe(85);
  expect(plan('fm=avif').quality).toBe(55);
  expect(plan('fm=avif&q=0').quality).toBe(0);
});
