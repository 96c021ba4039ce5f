// Whether this Node.js brings what the service is built on.

import crypto from 'node:crypto';
import zlib from 'node:zlib';
import { type Check, type CheckParts, ok, problem } from './check.ts';

const LEAST_NODE = 24;

export function checkEnvironment(versions: Readonly<Record<string, string | undefined>>): readonly Check[] {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Environment', name, ...parts });
  return [check('Node.js', checkNode(versions.node ?? '0')), check('features', checkFeatures(versions))];
}

function checkNode(version: string): CheckParts {
  if (Number(version.split('.')[0]) >= LEAST_NODE) return ok(version);
  return problem(version, `Install Node.js ${LEAST_NODE} or newer.`);
}

function checkFeatures({ sqlite }: Readonly<Record<string, string | undefined>>): CheckParts {
  const features: readonly (readonly [name: string, isThere: boolean])[] = [
    ['SQLite', sqlite !== undefined],
    ['zstd', typeof zlib.zstdCompress === 'function'],
    ['brotli', typeof zlib.brotliCompress === 'function'],
    ['argon2', typeof crypto.argon2 === 'function'],
    ['UUIDv7', typeof crypto.randomUUIDv7 === 'function'],
  ];
  const missing = features.filter(([, isThere]) => !isThere).map(([name]) => name);
  if (missing.length > 0)
    return problem(`${missing.join(', ')} missing`, 'Install the newest Node.js 24, from nodejs.org.');
  return ok([`SQLite ${sqlite}`, ...features.slice(1).map(([name]) => name)].join(', '));
}
