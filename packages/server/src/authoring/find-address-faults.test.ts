import { describe, expect, test } from 'vitest';
import { formatFault } from '../content/fault.ts';
import { findAddressFaults } from './find-address-faults.ts';

const BAD = '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>';
const GOOD = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PICTURE = 'must be a picture of at most 16 KB if it is a data: URL';
const TYPES = 'image/png, image/jpeg, image/gif, image/webp, image/avif, image/x-icon, image/svg+xml';
const HEADER = 'must contain UTF-8 text, as data:image/svg+xml, optionally with ;charset=utf-8 and ;base64';
const PNG = 'must contain a PNG picture to match image/png';
const SCRIPT = 'must not contain a <script> element';

describe('an address', () => {
  test.each([
    [null],
    ['https://example.com/a.svg'],
    ['/a.svg'],
    ['data:image/png;base64,iVBORw0KGgo='],
    [`data:image/png,%89PNG%0D%0A%1A%0A${'x'.repeat(16 * 1024 - 33)}`],
    ['data:image/png;charset=utf-8;base64,iVBORw0KGgo='],
    ['data:image/jpeg;base64,/9j/4AAQ'],
    [`data:image/gif,GIF89a`],
    [`data:image/webp;base64,${base64('RIFF....WEBPVP8 ')}`],
    [`data:image/avif;base64,${base64('....ftypavif')}`],
    ['data:image/x-icon;base64,AAABAAEA'],
    [`data:image/svg+xml,${encodeURIComponent(GOOD)}`],
    [`data:image/svg+xml;charset=UTF-8;base64,${base64(GOOD)}`],
    [`data:image/svg+xml;utf8,${GOOD}`],
  ])('%j is accepted', (address) => {
    expect(findAddressFaults('url', address)).toEqual([]);
  });

  test('is accepted if it does not change, even if it is invalid', () => {
    const address = `data:text/plain,${'x'.repeat(100_000)}`;
    expect(findAddressFaults('url', address, address)).toEqual([]);
    expect(findAddressFaults('url', `${address}x`, address)).toHaveLength(1);
  });

  test.each([
    [`data:image/svg+xml,${BAD}`, SCRIPT],
    [`data:image/svg+xml,${encodeURIComponent(BAD)}`, SCRIPT],
    [`DATA:IMAGE/SVG+XML;BASE64,${base64(BAD)}`, SCRIPT],
    [`data:image/svg+xml;base64,${base64(BAD).replace('P', '%50')}`, SCRIPT],
    [`data:image/svg+xml;base64,${base64(BAD).slice(0, 8)} ${base64(BAD).slice(8)}`, SCRIPT],
    [`data:image/svg+xml;charset=utf-16,${BAD}`, HEADER],
    [`data:image/svg+xml;charset=utf-7,${BAD}`, HEADER],
    [`data:image/svg+xml;a=";charset=utf-8";charset=utf-16,${GOOD}`, HEADER],
    [`data:image/svg+xml;charset=utf-8;charset=utf-16,${GOOD}`, HEADER],
    [`data:image/svg+xml,${GOOD}#rest`, 'must encode # as %23'],
    ['data:image/svg+xml,%ff%fe%3c', 'must contain UTF-8 text'],
    ['data:image/svg+xml;base64,PHN2!Zz4', 'must contain valid base64'],
    ['data:text/html,<script>alert(1)</script>', `${PICTURE} (${TYPES}), got text/html`],
    ['data:application/xhtml+xml,x', `${PICTURE} (${TYPES}), got application/xhtml+xml`],
    ['data:image/x+xml,x', `${PICTURE} (${TYPES}), got image/x+xml`],
    [`data:image/svg,${BAD}`, `${PICTURE} (${TYPES}), got image/svg`],
    [`data:image/svg;x=,${BAD}`, `${PICTURE} (${TYPES}), got image/svg`],
    [`data:image/x-foo,${BAD}`, `${PICTURE} (${TYPES}), got image/x-foo`],
    [`data:image/png,${BAD}`, PNG],
    [`data:image/png;base64,${base64(BAD)}`, PNG],
    ['data:image/png,', PNG],
    ['data:image/png;base64,iVBORw0KGgo!', 'must contain valid base64'],
    ['data:image/png;base64;x=,iVBORw0KGgo=', PNG],
    ['data:image/jpeg;base64,iVBORw0KGgo=', 'must contain a JPEG picture to match image/jpeg'],
    [`data:image/gif,<!-- GIF89a -->${BAD}`, 'must contain a GIF picture to match image/gif'],
    ['data:,hello', `${PICTURE} (${TYPES}), got text/plain`],
    [`data:image/png,%89PNG%0D%0A%1A%0A${'x'.repeat(16 * 1024 - 32)}`, `${PICTURE}, got 17 KB`],
    [`data:image/png,%89PNG%0D%0A%1A%0A${'€'.repeat(6000)}`, `${PICTURE}, got 18 KB`],
    ['data:text/xml,x', `${PICTURE} (${TYPES}), got text/xml`],
    [`https://example.com/${'x'.repeat(2048)}`, 'must have at most 2048 characters, got 2068'],
  ])('%.60s is rejected', (address, message) => {
    expect(findAddressFaults('url', address).map(formatFault)).toEqual([`url ${message}`]);
  });
});
