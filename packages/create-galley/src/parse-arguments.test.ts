import { expect, test } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

test.each([
  [[], { kind: 'create', folder: 'my-site', template: 'none', packages: undefined }],
  [['blog'], { kind: 'create', folder: 'blog', template: 'none', packages: undefined }],
  [['blog', '--template', 'next'], { kind: 'create', folder: 'blog', template: 'next', packages: undefined }],
  [
    ['--template=astro', '--packages', 'tarballs', 'blog'],
    { kind: 'create', folder: 'blog', template: 'astro', packages: 'tarballs' },
  ],
  [['-h', '--template', 'vue'], { kind: 'help' }],
  [['--version'], { kind: 'version' }],
])('%j is parsed as %j', (args, wish) => {
  expect(parseArguments(args, {})).toEqual(wish);
});

test.each([
  [['one', 'two'], 'Expected one folder, got 2.'],
  [[''], 'The folder name is empty.'],
  [['blog', '--template', 'vue'], '--template must be one of none, next, astro, not "vue".'],
  [['blog', '--template', ''], '--template must be one of none, next, astro, not "".'],
  [['blog', '--packages', ''], '--packages needs a folder.'],
  [['blog', '--port', '3'], "Unknown option '--port'"],
  [['blog', '--template'], "Option '--template <value>' argument missing"],
])('%j is a usage error', (args, message) => {
  expect(parseArguments(args, {})).toEqual({ kind: 'mistake', message: expect.stringContaining(message) });
});

test.each([['next'], ['true']])('reports that npm did not pass on the option (%s)', (value) => {
  expect(parseArguments(['blog'], { npm_config_template: value })).toEqual({
    kind: 'mistake',
    message: 'npm did not pass --template on. Write -- before the options: npm create galley my-site -- --template …',
  });
});
