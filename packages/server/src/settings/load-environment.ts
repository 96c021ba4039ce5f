import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The process environment over the `.env` file of `cwd`, if there is one: what was really set wins. */
export function loadEnvironment(
  cwd: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string | undefined>> {
  return Object.freeze({ ...readEnvFile(join(cwd, '.env')), ...environment });
}

function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // Only a missing file is nothing to speak of; one that cannot be read would be silently ignored settings.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  return parseEnv(text);
}
