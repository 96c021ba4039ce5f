import { expect, test } from 'vitest';
import { findImports } from './find-imports.ts';

test('returns the line, and distinguishes types from values', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import { type B } from './b.ts';",
    '',
    "export type { C } from './c.ts';",
    "export * from './d.ts';",
    "type E = import('./e.ts').E;",
  ].join('\n');
  expect(findImports('a.ts', text)).toEqual([
    { specifier: './a.ts', line: 1, isTypeOnly: true },
    // Stripping the types leaves `import {} from './b.ts'`, which still loads the file.
    { specifier: './b.ts', line: 2, isTypeOnly: false },
    { specifier: './c.ts', line: 4, isTypeOnly: true },
    { specifier: './d.ts', line: 5, isTypeOnly: false },
    { specifier: './e.ts', line: 6, isTypeOnly: true },
  ]);
});

test('does not mistake text, comments or JSX for imports', () => {
  const text = "// import './a.ts'\nconst text = `import './b.ts'`;\nconst view = <p>import './c.ts'</p>;";
  expect(findImports('a.tsx', text)).toEqual([]);
});

test('rejects a file that it cannot parse', () => {
  expect(() => findImports('a.ts', 'import {')).toThrow('a.ts cannot be parsed');
});
