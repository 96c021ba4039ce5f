import { readFileSync } from 'node:fs';
import { loadEnvironment, readSettings, type Settings } from '../settings.ts';
import { CommandFailure } from './command-failure.ts';

/** @param overrides settings given as command-line options, by name */
export function readServiceSettings(overrides: Readonly<Record<string, string>> = {}): Settings {
  const settings = readSettings({ ...readEnvironment(), ...overrides }, (path) => readFileSync(path, 'utf8'));
  if (settings.ok) return settings.value;
  const { problem } = settings;
  const [only] = problem;
  if (problem.length === 1 && only !== undefined) throw new CommandFailure(only);
  throw new CommandFailure([`${problem.length} invalid settings:`, ...problem.map((line) => `  ${line}`)].join('\n'));
}

export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    return loadEnvironment(process.cwd());
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandFailure(`The .env file cannot be read: ${error.message}.`, { cause: error });
  }
}
