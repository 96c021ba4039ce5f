import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { renderNextSteps } from './main.ts';

test.each([
  ['my-site', '  cd my-site\n'],
  ['My Site', '  cd "My Site"\n'],
  ['-x', '  cd ./-x\n'],
  ['-My Site', '  cd "./-My Site"\n'],
  ['../-x', '  cd ../-x\n'],
  ['$HOME', '  cd "\\$HOME"\n'],
])('the next step after creating %s can be pasted into a shell', (folder, step) => {
  expect(renderNextSteps(resolve(folder), false)).toContain(`\n${step}  npm install\n  npm start\n`);
});

test('prints no cd command if the project is in the current folder', () => {
  expect(renderNextSteps(resolve('.'), false)).not.toContain('cd ');
});
