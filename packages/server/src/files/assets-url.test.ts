import { expect, test } from 'vitest';
import { parseAssetsUrl } from './assets-url.ts';

test.each([
  ['file:./data/assets', './data/assets'],
  ['file:data', 'data'],
  ['file:/var/assets', '/var/assets'],
  ['file:///var/assets', '/var/assets'],
  ['file:../a b/ünï', '../a b/ünï'],
])('%s is a folder', (text, path) => {
  const parsed = parseAssetsUrl(text);
  expect(parsed).toEqual({ ok: true, value: { kind: 'folder', path } });
  expect(parsed.ok && Object.isFrozen(parsed.value)).toBe(true);
});

const PLAIN = { kind: 'bucket', bucket: 'media', prefix: '', region: null, endpoint: null, isPathStyle: false };

test.each([
  ['s3://media', {}],
  ['s3://media/', {}],
  ['s3://media/galley/assets/', { prefix: 'galley/assets' }],
  ['s3://media?region=eu-central-1', { region: 'eu-central-1' }],
  [
    's3://media/x?endpoint=http://localhost:9000/&path_style=true&region=auto',
    {
      prefix: 'x',
      region: 'auto',
      endpoint: 'http://localhost:9000',
      isPathStyle: true,
    },
  ],
  ['s3://media?endpoint=https%3A%2F%2Fs3.example.com&path_style=false', { endpoint: 'https://s3.example.com' }],
])('%s is a bucket', (text, members) => {
  const parsed = parseAssetsUrl(text);
  expect(parsed).toEqual({ ok: true, value: { ...PLAIN, ...members } });
  expect(parsed.ok && Object.isFrozen(parsed.value)).toBe(true);
});

test.each([
  ['', 'starts with neither file: nor s3://'],
  ['./data/assets', 'starts with neither file: nor s3://'],
  ['https://bucket.s3.amazonaws.com', 'starts with neither file: nor s3://'],
  ['file:', 'The path after “file:” is missing'],
  ['file://host/share', 'must not include a host'],
  ['file:a\0b', 'contains a null character'],
  ['s3://', '"" is not a valid bucket name'],
  ['s3://My_Bucket', '"My_Bucket" is not a valid bucket name'],
  ['s3://key:secret@media', 'must not contain credentials'],
  ['s3://media/a//b', 'The prefix "a//b" may contain only'],
  ['s3://media/../b', 'The prefix "../b" may contain only'],
  ['s3://media/a b', 'The prefix "a b" may contain only'],
  [`s3://media/${'a'.repeat(513)}`, 'may contain only'],
  ['s3://media?regoin=eu', '"regoin" is not a parameter of s3://'],
  ['s3://media?region=', 'region "" is not a valid region'],
  ['s3://media?region=eu&region=us', '"region" occurs more than once'],
  ['s3://media?endpoint=localhost:9000', 'must be an http or https URL'],
  ['s3://media?endpoint=http://me:secret@localhost', 'must be an http or https URL without a path or credentials'],
  ['s3://media?endpoint=http://localhost/path', 'must be an http or https URL without a path'],
  ['s3://media?path_style=yes', 'path_style "yes" must be true or false'],
])('"%s" is refused with a reason and the allowed forms', (text, reason) => {
  const parsed = parseAssetsUrl(text);
  expect(parsed.ok ? '' : parsed.problem).toContain(reason);
  expect(parsed.ok ? '' : parsed.problem).toContain('Use file:PATH or s3://BUCKET/PREFIX');
});

test.each(['s3://key:secret@media', 's3://media?endpoint=http://me:secret@localhost', 'ftp://me:secret@host'])(
  'the error message for %s does not repeat the password',
  (text) => {
    const parsed = parseAssetsUrl(text);
    expect(parsed.ok ? 'secret' : parsed.problem).not.toContain('secret');
  },
);
