// Connects the front end and Galley: writes an API key to web/.env.local and types to web/src/content-types.ts, and tells Galley the
// front end's address, so that the panel can show previews.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';

export const WEB = join(import.meta.dirname, 'web');
const VARIABLES = join(WEB, '.env.local');
const TYPES = join(WEB, 'src/content-types.ts');
/** The prefix of the API's own headers that Galley and the front end use by default. */
const DEFAULT_PREFIX = 'X-SERVICE';

/**
 * @param address Galley's address
 * @param webAddress the front end's address
 */
export async function prepareFrontEnd(address, webAddress) {
  const text = readText(VARIABLES);
  const known = parseEnv(text);
  const apiUrl = `${address}/api/v1`;
  const site = known.GALLEY_SITE_ID ?? 's_demo';
  if (known.GALLEY_API_URL !== undefined && known.GALLEY_API_URL !== apiUrl) {
    console.log(`The front end reads from ${known.GALLEY_API_URL}, as set in web/.env.local.`);
    return;
  }
  const prefix = readHeaderPrefix();
  const hasKey = await canRead(apiUrl, site, known.GALLEY_API_KEY, prefix);
  const variables = {
    GALLEY_API_URL: apiUrl,
    GALLEY_SITE_ID: site,
    GALLEY_API_KEY: hasKey ? known.GALLEY_API_KEY : createKey(site),
    GALLEY_PANEL_URL: known.GALLEY_PANEL_URL ?? address,
    ...(prefix !== (known.GALLEY_HEADER_PREFIX || DEFAULT_PREFIX) && { GALLEY_HEADER_PREFIX: prefix }),
  };
  const isCurrent = Object.entries(variables).every(([name, value]) => known[name] === value);
  if (!isCurrent) writeFileSync(VARIABLES, setVariables(text, variables), { mode: 0o600 });
  if (!hasKey) console.log('  Created an API key for the front end, in web/.env.local.\n');
  // The panel opens previews at this address.
  runGalley('preview', 'set', '--site', site, '--name', 'Front end', '--address', webAddress);
  runGalley('types', '--site', site, '--out', TYPES);
}

/** Returns the path of a package's executable script, so that Node.js can run it without a shell. */
export function locateProgram(packageName, programName) {
  const manifestPath = createRequire(join(WEB, 'package.json')).resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  return join(dirname(manifestPath), typeof bin === 'string' ? bin : bin[programName]);
}

/** Galley reads its settings from the environment, then from `.env`. */
function readHeaderPrefix() {
  const settings = { ...parseEnv(readText(join(import.meta.dirname, '.env'))), ...process.env };
  return settings.GALLEY_HEADER_PREFIX?.trim() || DEFAULT_PREFIX;
}

/** Whether Galley accepts the key. Galley rejects it if the database has been replaced. */
async function canRead(apiUrl, site, key, prefix) {
  if (key === undefined) return false;
  const headers = { Authorization: `Bearer ${key}`, [`${prefix}-SITE`]: site };
  const { status } = await fetch(`${apiUrl}/content?limit=1`, { headers });
  return status !== 401 && status !== 403;
}

function createKey(site) {
  const printed = runGalley('key', 'create', '--site', site, '--name', 'Front end', '--json');
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
