import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { FormError, parseFormBoundary, readForm } from './read-form.ts';

const BOUNDARY = 'xyz';

type Read = readonly [name: string, value: string] | readonly [name: string, fileName: string, text: string];

async function* split(bytes: Buffer, size: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, size = 64 * 1024): Promise<readonly Read[]> {
  const parts: Read[] = [];
  for await (const part of readForm(split(Buffer.from(text), size), BOUNDARY)) {
    if (part.kind === 'field') parts.push([part.name, part.value]);
    else parts.push([part.name, part.fileName, (await buffer(part.bytes)).toString()]);
  }
  return parts;
}

function form(...parts: readonly (readonly [headers: string, body: string])[]): string {
  const written = parts.map(([headers, body]) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${body}\r\n`);
  return `${written.join('')}--${BOUNDARY}--\r\n`;
}

const field = (name: string, value: string) => [`Content-Disposition: form-data; name="${name}"`, value] as const;
const file = (fileName: string, text: string) =>
  [`Content-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/plain`, text] as const;

describe('a form', () => {
  test('is read in the same way however its bytes arrive', async () => {
    const text = form(
      field('description', 'Größe'),
      file('a.txt', 'one\r\n--xy\r\n--\r\rtwo\r'),
      file('', ''),
      file('b.txt', '\r\n'),
    );
    const expected = [
      ['description', 'Größe'],
      ['file', 'a.txt', 'one\r\n--xy\r\n--\r\rtwo\r'],
      ['file', '', ''],
      ['file', 'b.txt', '\r\n'],
    ];
    for (let size = 1; size <= Buffer.byteLength(text); size += 1) expect(await read(text, size)).toEqual(expected);
  });

  test('may have text before its first boundary and after its last one', async () => {
    expect(await read(`preamble\r\n${form(field('a', '1'))}epilogue`)).toEqual([['a', '1']]);
  });

  test.each([
    ['quotes as browsers write them', 'filename="a%22b.txt"', 'a"b.txt'],
    ['quotes as other clients write them', 'filename="a\\"b.txt"', 'a"b.txt'],
    ['a name in UTF-8', 'filename="naïve-地図.txt"', 'naïve-地図.txt'],
    ['an extended name', `filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt'],
    ['a name without quotes', 'filename=plain.txt', 'plain.txt'],
    ['a path', 'filename="..\\..\\a/b.txt"', '..\\..\\a/b.txt'],
  ])('reads %s', async (_, parameter, expected) => {
    const headers = `content-disposition: FORM-DATA; name="file"; ${parameter}`;
    expect(await read(form([headers, 'x']))).toEqual([['file', expected, 'x']]);
  });

  test('skips the unread part of a file', async () => {
    const names: string[] = [];
    for await (const part of readForm(
      split(Buffer.from(form(file('a', 'x'.repeat(999)), file('b', 'y'))), 64),
      BOUNDARY,
    )) {
      names.push(part.kind === 'file' ? part.fileName : part.name);
    }
    expect(names).toEqual(['a', 'b']);
  });

  test.each([
    ['no bytes', '', 'malformed', 'The form ends before its last boundary.'],
    ['no boundary', 'hello', 'malformed', 'The form ends before its last boundary.'],
    [
      'a file that is cut off',
      form(file('a', 'x')).slice(0, -12),
      'malformed',
      'The form ends before its last boundary.',
    ],
    ['headers that are cut off', `--${BOUNDARY}\r\nContent-`, 'malformed', 'The form ends before its last boundary.'],
    [
      'a part without headers',
      `--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--`,
      'malformed',
      'A part of the form has no Content-Disposition.',
    ],
    [
      'a part without a name',
      form(['Content-Disposition: form-data; filename="a"', 'x']),
      'malformed',
      'A part of the form has no name.',
    ],
    [
      'an encoded part',
      form([`${field('a', '')[0]}\r\nContent-Transfer-Encoding: base64`, 'eA==']),
      'malformed',
      'The parts of a form must be sent without a Content-Transfer-Encoding.',
    ],
    [
      'text that is not UTF-8',
      Buffer.from(form(field('a', '\xff')), 'latin1'),
      'malformed',
      'The field "a" is not valid UTF-8.',
    ],
    ['a long field', form(field('a', 'x'.repeat(64 * 1024 + 1))), 'too_large', 'The field "a" is too long.'],
    [
      'long headers',
      form([`${field('a', '')[0]}\r\nX: ${'x'.repeat(9000)}`, '']),
      'too_large',
      'The headers of a part can be at most 8192 bytes long.',
    ],
    [
      'many parts',
      form(...Array.from({ length: 501 }, () => field('a', ''))),
      'too_large',
      'A form may have at most 500 parts.',
    ],
    [
      'text that continues after the end',
      `${form(field('a', ''))}${'x'.repeat(200_000)}`,
      'malformed',
      'There is more data after the end of the form.',
    ],
  ])('is refused if it has %s', async (_, text, code, message) => {
    const error = await read(text, 1000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FormError);
    expect(error).toMatchObject({ code, message });
  });
});

test.each([
  ['multipart/form-data; boundary=xyz', 'xyz'],
  ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', 'a b'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary="${'x'.repeat(71)}"`, undefined],
  ['multipart/mixed; boundary=xyz', undefined],
  [undefined, undefined],
])('the boundary in %s is %s', (contentType, expected) => {
  expect(parseFormBoundary(contentType)).toBe(expected);
});
