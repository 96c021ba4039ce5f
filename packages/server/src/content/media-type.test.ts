import { describe, expect, test } from 'vitest';
import { findDataMediaType, findExtension, findExtensionOf, findMediaType } from './media-type.ts';

describe('the extension', () => {
  test.each([
    ['assets/a_1/photo.jpg', 'jpg'],
    ['photo.final.PNG', 'png'],
    ['v1.2/readme', ''],
    ['archive.', ''],
    ['', ''],
  ])('is read from %j as %j', (path, extension) => {
    expect(findExtension(path)).toBe(extension);
  });

  test('is derived from a media type', () => {
    expect(findExtensionOf('image/jpeg')).toBe('jpg');
    expect(findExtensionOf('x/y')).toBe('');
  });
});

describe('the media type', () => {
  test.each([
    ['jpg', 'image/jpeg'],
    ['SVG', 'image/svg+xml'],
    ['', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
  ])('is derived from the extension %j: %s', (extension, mediaType) => {
    expect(findMediaType(extension)).toBe(mediaType);
  });

  test.each([
    ['data:image/png;base64,AAAA', 'image/png'],
    ['DATA:Image/SVG+xml,%3Csvg/%3E', 'image/svg+xml'],
    ['data:,hello', 'text/plain'],
    ['data:;base64,AAAA', 'text/plain'],
    ['data:nonsense,hello', 'text/plain'],
    ['data:a/b/c,hello', 'text/plain'],
    ['https://example.com/a.png', undefined],
    ['/data:image/png,', undefined],
  ])('is read from the URL %s as %s', (url, mediaType) => {
    expect(findDataMediaType(url)).toBe(mediaType);
  });
});
