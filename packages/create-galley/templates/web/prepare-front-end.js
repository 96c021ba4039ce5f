// Sets up the front end to read from Galley: writes API keys to web/.env.local and types to web/src/content-types.ts.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';

export const WEB = join(import.meta.dirname, 'web');
const VARIABLES = join(WEB, '.env.local');
const TYPES = join(WEB, 'src/content-types.ts');

export async function prepareFrontEnd(address) {
  const text = readText(VARIABLES);
  const known = parseEnv(text);
  const apiUrl = `${address}/api/v1`;
  const site = known.GALLEY_SITE_ID ?? 's_demo';
  if (known.GALLEY_API_URL !== undefined && known.GALLEY_API_URL !== apiUrl) {
    console.log(`The front end reads from ${known.GALLEY_API_URL}, as set in web/.env.local.`);
    return;
  }
  if (!(await canRead(apiUrl, site, known.GALLEY_API_KEY)) || known.GALLEY_PREVIEW_KEY === undefined) {
    const secret = known.GALLEY_PREVIEW_SECRET ?? randomBytes(24).toString('base64url');
    const variables = {
      GALLEY_API_URL: apiUrl,
      GALLEY_SITE_ID: site,
      GALLEY_API_KEY: createKey(site, 'Front end'),
      GALLEY_PREVIEW_KEY: createKey(site, 'Front end, drafts', '--preview'),
      GALLEY_PREVIEW_SECRET: secret,
    };
    writeFileSync(VARIABLES, setVariables(text, variables), { mode: 0o600 });
    console.log('  Created API keys for the front end, in web/.env.local. README.md explains how to view drafts.\n');
  }
  runGalley('types', '--site', site, '--out', TYPES);
}

/** Returns the path of a package's executable script, so that Node.js can run it without a shell. */
export function locateProgram(packageName, programName) {
  const manifestPath = createRequire(join(WEB, 'package.json')).resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  return join(dirname(manifestPath), typeof bin === 'string' ? bin : bin[programName]);
}

/** Whether Galley accepts the key. Galley rejects it if the database has been replaced. */
async function canRead(apiUrl, site, key) {
  if (key === undefined) return false;
  const headers = { Authorization: `Bearer ${key}`, 'X-SERVICE-SITE': site };
  const { status } = await fetch(`${apiUrl}/content?limit=1`, { headers });
  return status !== 401 && status !== 403;
}

function createKey(site, name, ...options) {
  const printed = runGalley('key', 'create', '--site', site, '--name', name, ...options, '--json');
  return JSON.parse(printed).token;
}

function runGalley(...args) {
  const program = locateProgram('@galley/server', 'galley');
  try {
    return execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: import.meta.dirname });
  } catch {
    throw new Error(`"galley ${args.join(' ')}" failed. See the error above.`);
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Replaces the lines that set these variables and keeps all others. */
function setVariables(text, variables) {
  const kept = text.split('\n').filter((line) => line !== '' && !Object.hasOwn(variables, line.split('=')[0].trim()));
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return `${[...kept, ...set].join('\n')}\n`;
}
