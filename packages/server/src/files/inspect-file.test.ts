import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { buildAssetHeaders, isShownInline } from './asset-headers.ts';
import { openBufferSource } from './byte-source.fixture.ts';
import { type ByteSource, openDescriptorSource } from './byte-source.ts';
import { inspectFile } from './inspect-file.ts';

function inspect(bytes: Buffer | string, name: string): ReturnType<typeof inspectFile> {
  return inspectFile(openBufferSource(Buffer.from(bytes)), name);
}

const square = sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } });

describe('the type is detected from the bytes', () => {
  test.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['webp', 'image/webp', 'webp'],
    ['gif', 'image/gif', 'gif'],
    ['tiff', 'image/tiff', 'tif'],
    ['avif', 'image/avif', 'avif'],
  ] as const)('%s named like a web page is %s', async (format, type, extension) => {
    const bytes = await square.clone().toFormat(format).toBuffer();
    expect(await inspect(bytes, 'page.html')).toEqual({ type, extension });
  });

  test.each<[string, Buffer | string, string]>([
    ['a PDF', '%PDF-1.7\n%âãÏÓ\n', 'application/pdf'],
    ['an MP3', Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)]), 'audio/mpeg'],
    ['an archive', gzipSync('text'), 'application/gzip'],
    ['a Windows program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]), 'application/x-msdownload'],
    ['an icon', Buffer.from('00000100010010100000', 'hex'), 'image/x-icon'],
    ['null bytes', Buffer.alloc(100), 'application/octet-stream'],
    ['bytes that are not UTF-8', Buffer.from('caf\xe9', 'latin1'), 'application/octet-stream'],
    ['text with control characters', 'a\x1b[31mb', 'application/octet-stream'],
  ])('does not treat %s as text, even in a file named like a text file', async (_name, bytes, type) => {
    expect((await inspect(bytes, 'notes.txt')).type).toBe(type);
  });
});

describe('plain text', () => {
  test.each([
    ['notes.txt', 'text/plain'],
    ['Notes.TXT', 'text/plain'],
    ['table.csv', 'text/csv'],
    ['readme.md', 'text/markdown'],
    ['data.json', 'application/json'],
    ['film.vtt', 'text/vtt'],
    ['page.html', 'application/octet-stream'],
    ['picture.svg', 'application/octet-stream'],
    ['code.js', 'application/octet-stream'],
    ['photo.jpg', 'application/octet-stream'],
    ['notes', 'application/octet-stream'],
    ['.txt', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('with the name %s is %s', async (name, type) => {
    expect((await inspect('Grüße, 日本', name)).type).toBe(type);
  });

  test.each(['', '\uFEFFwith a mark', '<p align="center">as in many readmes</p>', '<!-- a comment -->\n# Title'])(
    'may be %j',
    async (text) => {
      expect((await inspect(text, 'readme.md')).type).toBe('text/markdown');
    },
  );

  test.each(['BMW,Audi\n1,2', 'MZ is short for', 'ID3 tags', 'II*', 'FLV', 'Obj', 'PK'])(
    'is still text if it begins like another format: %s',
    async (text) => {
      expect((await inspect(text, 'table.csv')).type).toBe('text/csv');
    },
  );

  test('is checked to the end, even if characters are split between reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-text-'));
    const path = join(folder, 'long.txt');
    // Reads end in the middle of a three-byte character.
    await writeFile(path, '字'.repeat(1_000_000));
    await using text = await open(path);
    expect((await inspectFile(openDescriptorSource(text.fd), 'long.txt')).type).toBe('text/plain');
    await writeFile(path, Buffer.concat([Buffer.from('字'.repeat(1_000_000)), Buffer.of(0)]));
    await using binary = await open(path);
    expect((await inspectFile(openDescriptorSource(binary.fd), 'long.txt')).type).toBe('application/octet-stream');
    await rm(folder, { recursive: true });
  });

  test('is not read to the end if its name does not suggest a type', async () => {
    const bytes = Buffer.alloc(8 * 1024 ** 2, 'text ');
    let read = 0;
    const source: ByteSource = {
      size: bytes.length,
      read(offset, length) {
        const chunk = bytes.subarray(offset, offset + length);
        read += chunk.length;
        return chunk;
      },
    };
    expect((await inspectFile(source, 'text.bin')).type).toBe('application/octet-stream');
    expect(read).toBeLessThan(bytes.length / 2);
    expect((await inspectFile(source, 'text.txt')).type).toBe('text/plain');
  });
});

describe('markup is recognised whatever the file is called', () => {
  test.each([
    ['<!DOCTYPE html><p>', 'text/html'],
    ['<!DOCTYPE \n html><p>', 'text/html'],
    ['  \n<HTML lang="de">', 'text/html'],
    ['<!-- x --><script>alert(1)</script>', 'text/html'],
    ['\uFEFF<script>alert(1)</script>', 'text/html'],
    ['<html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
    ['<?xml version="1.0"?><html>', 'application/xhtml+xml'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- x --><svg/>', 'image/svg+xml'],
    ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><svg/>', 'image/svg+xml'],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'image/svg+xml'],
    ['<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?><rss/>', 'application/xml'],
    ['<?xml version="1.0"?><svgx/>', 'application/xml'],
  ])('%s is %s', async (text, type) => {
    for (const name of ['notes.txt', 'photo.jpg', 'readme.md']) expect((await inspect(text, name)).type).toBe(type);
  });

  test('UTF-16 is never SVG', async () => {
    const bytes = Buffer.from('\uFEFF<?xml version="1.0"?><svg/>', 'utf16le');
    expect((await inspect(bytes, 'a.svg')).type).toBe('application/xml');
  });
});

test.each([
  [`<!doctype${' '.repeat(10_000)}`, 'text/plain'],
  [`<?xml version="1.0"?><!doctype${'\n'.repeat(10_000)}`, 'application/xml'],
  [`<!doctype a[${'] '.repeat(5000)}`, 'text/plain'],
  ['<!-- x -->'.repeat(2000), 'text/plain'],
  ['<!--'.repeat(5000), 'text/plain'],
])('hostile text has a type: %.20s…', async (text, type) => {
  expect((await inspect(text, 'a.txt')).type).toBe(type);
});

test('truncated and damaged files get a type without causing an error', async () => {
  const formats = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const;
  for (const format of formats) {
    const bytes = await square.clone().toFormat(format).toBuffer();
    for (let length = 0; length < bytes.length; length += 7) {
      expect((await inspect(bytes.subarray(0, length), 'a.html')).type).not.toContain('html');
    }
  }
});

describe('headers', () => {
  test.each([
    ['image/png', true],
    ['image/svg+xml', true],
    ['audio/mpeg', true],
    ['video/mp4', true],
    ['application/pdf', true],
    ['text/html', false],
    ['application/xhtml+xml', false],
    ['application/xml', false],
    ['text/plain', false],
    ['application/octet-stream', false],
    ['application/x-shockwave-flash', false],
  ])('%s is shown inline: %s', (type, isInline) => {
    expect(isShownInline(type)).toBe(isInline);
    const disposition = buildAssetHeaders(type, 'a.b')['content-disposition'];
    expect(disposition?.startsWith(isInline ? 'inline;' : 'attachment;')).toBe(true);
  });

  test('allow no scripts', () => {
    expect(buildAssetHeaders('image/svg+xml', "Grüße-(1)'.svg")).toEqual({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-disposition': "inline; filename*=UTF-8''Gr%C3%BC%C3%9Fe-%281%29%27.svg",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('allow the built-in PDF viewer', () => {
    expect(buildAssetHeaders('application/pdf', 'a.pdf')['content-security-policy']).toBe("default-src 'none'");
  });
});
