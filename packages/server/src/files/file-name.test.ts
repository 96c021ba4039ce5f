import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../content/any-character.fixture.ts';
import { buildFileName } from './file-name.ts';

test.each([
  ['photo.jpg', 'jpg', 'photo.jpg'],
  ['Photo.JPEG', 'jpg', 'Photo.jpeg'],
  ['My holiday (2).PNG', 'png', 'My-holiday-2.png'],
  ['Grüße aus Köln.png', 'png', 'Grüße-aus-Köln.png'],
  ['über.png', 'png', 'über.png'],
  ['写真 一.webp', 'webp', '写真-一.webp'],
  ['صورة ١٢.jpg', 'jpg', 'صورة-١٢.jpg'],
  ['चित्र.jpg', 'jpg', 'चित्र.jpg'],
  ['snake_case.txt', 'txt', 'snake_case.txt'],
  ['archive.tar.gz', 'gz', 'archive-tar.gz'],
  ['no extension', 'pdf', 'no-extension.pdf'],
  ['100% & more?#.jpg', 'jpg', '100-more.jpg'],
])('%s of type %s becomes %s', (name, extension, expected) => {
  expect(buildFileName(name, extension)).toBe(expected);
});

test.each([
  ['../../etc/passwd', 'txt', 'passwd.txt'],
  ['..\\..\\windows\\system.ini', 'txt', 'system.txt'],
  ['/absolute/photo.jpg', 'jpg', 'photo.jpg'],
  ['C:\\photo.jpg', 'jpg', 'photo.jpg'],
  ['..', 'png', 'file.png'],
  ['.', 'png', 'file.png'],
  ['', 'png', 'file.png'],
  ['.htaccess', 'txt', 'file.txt'],
  ['...jpg', 'jpg', 'file.jpg'],
  ['photo.jpg/', 'jpg', 'file.jpg'],
  ['a\0b\r\nc.jpg', 'jpg', 'abc.jpg'],
  // The right-to-left override makes this look like "photoexe.jpg".
  ['photo\u202Egpj.exe', 'exe', 'photogpj.exe'],
  ['in\u200Bvis\uFEFFible\u2066.jpg', 'jpg', 'invisible.jpg'],
  ['\u0301accent.jpg', 'jpg', 'accent.jpg'],
  ['\uD800lone.jpg', 'jpg', 'lone.jpg'],
  ['CON.jpg', 'jpg', 'CON-file.jpg'],
  ['<script>.jpg', 'jpg', 'script.jpg'],
  ['%2e%2e%2fa.jpg', 'jpg', '2e-2e-2fa.jpg'],
  ['🎉🎉.jpg', 'jpg', 'file.jpg'],
])('%j of type %s becomes %s', (name, extension, expected) => {
  expect(buildFileName(name, extension)).toBe(expected);
});

test.each([
  ['page.html', 'jpg', 'page.jpg'],
  ['photo.jpg', 'html', 'photo.html'],
  ['evil.php.jpg', 'jpg', 'evil-php.jpg'],
  ['evil.jpg.php', 'jpg', 'evil-jpg.jpg'],
  ['evil.html', 'bin', 'evil.bin'],
  ['evil.svg', 'bin', 'evil.bin'],
  ['photo.jpg', 'bin', 'photo.bin'],
  ['letter.docx', 'docx', 'letter.docx'],
  ['design.sketch', 'zip', 'design.sketch'],
  ['model.obj', 'bin', 'model.obj'],
  ['feed.rss', 'xml', 'feed.rss'],
  ['odd.a b', 'bin', 'odd.bin'],
])('the extension of %s fits the type %s: %s', (name, extension, expected) => {
  expect(buildFileName(name, extension)).toBe(expected);
});

test('a long name is cut between letters and keeps its extension', () => {
  expect(buildFileName(`${'a'.repeat(500)}.jpg`, 'jpg')).toBe(`${'a'.repeat(116)}.jpg`);
  expect(buildFileName(`${'字'.repeat(500)}.jpg`, 'jpg')).toBe(`${'字'.repeat(38)}.jpg`);
  const short = buildFileName(`${'x'.repeat(115)}q\u0323\u0307.jpg`, 'jpg');
  expect(short).toBe(`${'x'.repeat(115)}.jpg`);
});

test('any name becomes one safe segment, which does not change when it is cleaned again', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (name) => {
      const clean = buildFileName(name, 'jpg');
      expect(clean).toMatch(/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*\.(jpg|jpeg|jpe|jfif)$/u);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(120);
      expect(clean.normalize('NFC')).toBe(clean);
      expect(decodeURIComponent(encodeURIComponent(clean))).toBe(clean);
      expect(buildFileName(clean, 'jpg')).toBe(clean);
    }),
  );
});
