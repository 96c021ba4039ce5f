import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalKey } from './canonical-key.ts';
import { type ImageParameters, type Presets, parseImageParameters } from './image-parameters.ts';

function parse(query: string, presets: Presets = new Map()): ImageParameters | string {
  const parsed = parseImageParameters(new URLSearchParams(query), presets);
  return parsed.ok ? parsed.value : parsed.problem;
}

function keyOf(query: string, presets?: Presets): string {
  const parsed = parse(query, presets);
  if (typeof parsed === 'string') throw new Error(parsed);
  return canonicalKey(parsed);
}

describe('image parameters', () => {
  test('have defaults', () => {
    expect(parse('')).toEqual({
      width: null,
      height: null,
      fit: { kind: 'contain' },
      crop: null,
      rotation: 'auto',
      flip: null,
      brightness: 0,
      contrast: 0,
      gamma: 1,
      sharpness: 0,
      blur: 0,
      blockSize: 0,
      filter: null,
      background: null,
      border: null,
      mark: null,
      quality: null,
      format: null,
    });
  });

  test('are read by name', () => {
    const query =
      'w=300&h=200&fit=crop-10-20-1.5&crop=50,40,3,0&dpr=2&or=270&flip=both&bri=-100&con=100&gam=9.99&sharp=100&blur=1' +
      '&pixel=1000&filt=sepia&bg=fff&border=5h,80000000,expand&q=0&fm=auto' +
      '&mark=a_1&markw=10w&markh=20&markfit=stretch&markx=3&marky=4&markpos=top-left&markalpha=50';
    expect(parse(query)).toEqual({
      width: 600,
      height: 400,
      fit: { kind: 'crop', at: { x: 10, y: 20 }, zoom: 1.5 },
      crop: { width: 50, height: 40, left: 3, top: 0 },
      rotation: '270',
      flip: 'both',
      brightness: -100,
      contrast: 100,
      gamma: 9.99,
      sharpness: 100,
      blur: 1,
      blockSize: 1000,
      filter: 'sepia',
      background: { red: 255, green: 255, blue: 255, alpha: 255 },
      border: {
        width: { amount: 5, unit: 'height' },
        colour: { red: 0, green: 0, blue: 0, alpha: 128 },
        method: 'expand',
      },
      mark: {
        assetId: 'a_1',
        width: { amount: 10, unit: 'width' },
        height: { amount: 20, unit: 'pixels' },
        fit: { kind: 'stretch' },
        offsetX: { amount: 3, unit: 'pixels' },
        offsetY: { amount: 4, unit: 'pixels' },
        position: { x: 0, y: 0 },
        opacity: 50,
      },
      quality: 0,
      format: 'auto',
    });
  });

  test('are frozen', () => {
    const parsed = parse('w=3&fit=crop-1-2&h=4&crop=1,1,0,0&mark=a&border=3');
    if (typeof parsed === 'string') throw new Error(parsed);
    const { fit, crop, mark, border } = parsed;
    for (const value of [parsed, fit, crop, mark, border]) expect(Object.isFrozen(value)).toBe(true);
  });

  test('are ignored if their names are unknown', () => {
    expect(keyOf('v=3&w=10&_=17&W=20&utm_source=x&v=4')).toBe('w=10');
  });

  test.each([
    ['w', ['0', '8193', '-1', '1.5', '', 'abc', '1e3', '+5', ' 5', '0x10', '٣', '99999999']],
    ['h', ['0', '8193']],
    [
      'fit',
      ['', 'Crop', 'clip', 'crop-', 'crop-middle', 'cover-10-10', 'crop-101-0', 'crop-0-101', 'crop-1', 'crop-1-2-0.9'],
    ],
    [
      'fit',
      ['crop-1-2-101', 'crop-1-2-3-4', 'crop--1-2', 'top-left', 'max-left', 'crop-1-2-', 'crop-cover-top', 'center'],
    ],
    ['crop', ['', '1,2,3', '1,2,3,4,5', '0,1,0,0', '1,0,0,0', '1,1,-1,0', '1.5,1,0,0', 'a,b,c,d', '1,1,0,99999999']],
    ['dpr', ['0', '0.5', '8.1', '9', '-1', 'x', '']],
    ['or', ['45', '360', '-90', 'Auto', '']],
    ['flip', ['x', 'hv', 'H', '']],
    ['bri', ['-101', '101', '1.5', '--1', '']],
    ['con', ['-101', '101', '']],
    ['gam', ['0', '0.09', '10', '-1', '']],
    ['sharp', ['-1', '101', '']],
    ['blur', ['-1', '101', '']],
    ['pixel', ['-1', '1001', '']],
    ['filt', ['grayscale', 'Sepia', '']],
    ['bg', ['#fff', 'nocolour', '']],
    ['border', ['', 'x', '-1', '5x', '101w', '0h', '5,nocolour', '5,red,outside', '5,red,expand,1', '8193']],
    ['mark', ['', 'a/b', '../x', 'a'.repeat(65)]],
    ['markw', ['0', '101w', 'w', '']],
    ['markh', ['0', '0h']],
    ['markfit', ['clip', '']],
    ['markx', ['-1', '8193', '1.5']],
    ['marky', ['-1']],
    ['markpad', ['x']],
    ['markpos', ['middle', '']],
    ['markalpha', ['-1', '101']],
    ['q', ['-1', '101', '85.5', '']],
    ['fm', ['jpeg', 'tiff', 'JPG', 'svg', '']],
  ])('%s refuses the values %j', (name, values) => {
    for (const value of values) {
      const problem = parse(new URLSearchParams({ [name]: value }).toString());
      if (typeof problem !== 'string') throw new Error(`${name}=${value} was accepted`);
      expect(problem).toContain(`The ${name} parameter is `);
      expect(problem).toMatch(/; it must be .+\.$/);
      if (value.length < 60) expect(problem).toContain(JSON.stringify(value));
    }
  });

  test('are refused with a message that says what is allowed', () => {
    expect(parse('w=9000')).toBe('The w parameter is "9000"; it must be a whole number from 1 to 8192.');
    expect(parse('fm=bmp')).toBe('The fm parameter is "bmp"; it must be one of jpg, pjpg, png, gif, webp, avif, auto.');
  });

  test('are refused if one is repeated', () => {
    expect(parse('w=10&w=10')).toBe('The w parameter is given more than once; it takes one value.');
    expect(parse('w=10&s=x&s=y')).toBe('The s parameter is given more than once; it takes one value.');
  });
});

describe('presets', () => {
  const presets: Presets = new Map([
    ['small', 'w=100&h=100&fit=crop'],
    ['wide', 'w=300&q=50'],
    ['broken', 'w=x'],
    ['nested', 'p=small&s=1&q=20'],
  ]);

  test('apply from left to right, and explicit parameters win', () => {
    expect(keyOf('p=small', presets)).toBe(keyOf('w=100&h=100&fit=crop'));
    expect(keyOf('p=small,wide', presets)).toBe(keyOf('w=300&h=100&fit=crop&q=50'));
    expect(keyOf('p=wide,small', presets)).toBe(keyOf('w=100&h=100&fit=crop&q=50'));
    expect(keyOf('q=70&p=small,wide&h=5', presets)).toBe(keyOf('w=300&h=5&fit=crop&q=70'));
  });

  test('are refused if they do not exist', () => {
    expect(parse('p=small,large', new Map([['small', 'w=1']]))).toBe(
      'The p parameter contains "large"; it must be a list of preset names, such as "small".',
    );
    expect(parse('p=', presets)).toContain('The p parameter contains ""');
    expect(parse('p=small')).toBe('The p parameter contains "small"; this site has no presets.');
  });

  test('are named in messages about their invalid values, unless an explicit parameter replaces the value', () => {
    expect(parse('p=broken', presets)).toContain('The w parameter in the preset "broken" is "x"');
    expect(keyOf('p=broken&w=5', presets)).toBe('w=5');
  });

  test('do not contain other presets', () => {
    expect(keyOf('p=nested', presets)).toBe('q=20');
  });
});

describe('the canonical key', () => {
  test.each([
    ['w=100&h=50', 'h=50&w=100'],
    ['w=100', 'w=0100'],
    ['w=100&h=50&dpr=2', 'w=200&h=100'],
    ['w=100&dpr=1.5', 'w=150'],
    ['dpr=3', ''],
    ['fit=contain&or=auto&bri=0&con=-0&gam=1&sharp=0&blur=0&pixel=1&dpr=1', ''],
    ['bg=FFF', 'bg=ffffff'],
    ['bg=WHITE', 'bg=ffFFffFF'],
    ['border=3,RED', 'border=3,f00,overlay'],
    ['border=0,red', ''],
    ['fit=cover&w=2&h=2', 'fit=crop&w=2&h=2'],
    ['fit=cover-top&w=2&h=2', 'fit=crop-50-0&w=2&h=2'],
    ['fit=crop-bottom-right&w=2&h=2', 'fit=crop-100-100-1&w=2&h=2'],
    ['fit=crop&w=600', 'w=600'],
    ['fit=stretch&h=600', 'h=600'],
    ['fit=fill-max&h=600', 'h=600'],
    ['fit=max', ''],
    ['fm=jpg&q=85', 'fm=jpg'],
    ['fm=avif&q=55', 'fm=avif'],
    ['fm=png&q=3', 'fm=png'],
    ['markw=10&markpos=top', ''],
    ['mark=a&markpad=5&markx=1', 'mark=a&markx=5&marky=5&markalpha=100&markfit=contain&markpos=bottom-right'],
    ['mark=a&markalpha=0', ''],
    ['w=5&cachebuster=1&s=abc', 'w=5'],
  ])('of %j equals that of %j', (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  test.each([
    ['w=100', 'h=100'],
    ['w=100', 'w=101'],
    ['fit=crop&w=2&h=2', 'fit=crop-center&w=2&h=2'],
    ['fit=max&w=2', 'w=2'],
    ['fit=fill&w=2', 'fit=max&w=2'],
    ['fit=crop-50-50-2', ''],
    ['or=0', ''],
    ['fm=auto', ''],
    ['fm=jpg', 'fm=pjpg'],
    ['fm=avif&q=85', 'fm=avif'],
    ['q=85', ''],
    ['bg=transparent', ''],
    ['mark=a', 'mark=b'],
    ['mark=a&markw=5w', 'mark=a&markw=5h'],
  ])('of %j differs from that of %j', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test('does not depend on the order of the parameters', () => {
    const pairs = [...new URLSearchParams('w=3&h=4&fit=crop-top&bri=3&q=7&fm=webp&flip=h&border=3,red&mark=a&bg=blue')];
    const expected = keyOf(new URLSearchParams(pairs).toString());
    fc.assert(
      fc.property(fc.shuffledSubarray(pairs, { minLength: pairs.length }), (shuffled) => {
        expect(keyOf(new URLSearchParams(shuffled).toString())).toBe(expected);
      }),
    );
  });
});
