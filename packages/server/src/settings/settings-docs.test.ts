// Compares docs/settings.md and .env.example with the table of settings.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { SETTING_ROWS, type SettingRow } from './setting-rows.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ROWS: readonly SettingRow<unknown>[] = Object.values(SETTING_ROWS);

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

test('docs/settings.md has one row for each setting, with the same wording and in the same order', () => {
  const rows = readText('docs/settings.md').match(/^\| `GALLEY_.*$/gm) ?? [];
  expect(rows).toEqual(
    ROWS.map((row) => {
      const names = [row.name, ...(row.alias === undefined ? [] : [row.alias])].map((name) => `\`${name}\``);
      return `| ${names.join(', ')} | ${row.default} | ${row.meaning} | ${row.allowed} |`;
    }),
  );
});

test('docs/settings.md lists the settings that can be read from a file', () => {
  const secrets = ROWS.filter((row) => row.isSecret === true).map((row) => `\`${row.name}_FILE\``);
  const text = readText('docs/settings.md');
  expect(text.match(/`GALLEY_\w+_FILE`/g)).toEqual(secrets);
});

test('.env.example contains each setting with its meaning and its default, commented out', () => {
  const [, ...settings] = readText('.env.example').trimEnd().split('\n\n');
  expect(settings).toEqual(
    ROWS.map((row) => {
      // A default that is described in words is not a value, and an empty value counts as unset.
      const value = row.default === 'none' || row.default.includes(' ') ? '' : row.default;
      return `# ${row.meaning} (default: ${row.default})\n#${row.name}=${value}`;
    }),
  );
});

test('.env.example with every line uncommented has the same effect as no file', () => {
  const environment = parseEnv(readText('.env.example').replaceAll(/^#(?=GALLEY_)/gm, ''));
  expect(Object.keys(environment)).toHaveLength(ROWS.length);
  const readNothing = (): string => '';
  expect(readSettings(environment, readNothing)).toEqual(readSettings({}, readNothing));
});
