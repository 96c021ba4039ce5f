// A created project with Galley on 127.0.0.1 and its front end on localhost. Browsers treat these addresses as different sites.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import {
  type ProgramOptions,
  type RunningProgram,
  runWithSuccess,
  startProgram,
} from '../../../../scripts/testing/running-program.ts';
import { INSTALL, type PackedCreator } from './packed-creator.ts';
import { createWebhook } from './project-editor.ts';

export type Template = 'next' | 'astro';

/** Everything that the project has started stops when this object goes out of scope. */
export interface FrontEndProject extends ProgramOptions, AsyncDisposable {
  /** Contains Galley's port. */
  readonly env: Readonly<Record<string, string>>;
  /** The origin of the panel and the API. */
  readonly galleyUrl: string;
  readonly siteUrl: string;
  /** The path of the front end's variables. */
  readonly variables: string;
  /** Sends a request to the front end. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  buildDraftUrl(secret: string, id: string): string;
  run(...words: readonly string[]): Promise<string>;
  start(words: readonly string[], env?: Readonly<Record<string, string>>): RunningProgram;
  startGalley(): Promise<void>;
  stopGalley(): Promise<void>;
  /** Serves the built front end, with its current variables. */
  serve(): Promise<void>;
  /** Makes Galley call this URL after each change. Returns the webhook's secret, which the front end knows when it starts again. */
  connectWebhook(url: string): Promise<string>;
}

/** Creates the project and installs its packages. */
export async function createFrontEnd(creator: PackedCreator, template: Template): Promise<FrontEndProject> {
  const created = await creator.createFromTarballs([template, '--template', template]);
  if (created.status !== 0) throw new Error(created.stderr);
  const cwd = join(creator.folder, template);
  const variables = join(cwd, 'web/.env.local');
  const port = String(await findFreePort());
  const env = {
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    GALLEY_WEBHOOK_ALLOW: 'localhost',
    GALLEY_PORT: String(await findFreePort()),
    PORT: port,
  };
  const siteUrl = `http://localhost:${port}`;
  const programs: RunningProgram[] = [];
  let galley: RunningProgram | undefined;
  let web: RunningProgram | undefined;
  await runWithSuccess(INSTALL, { cwd, env });

  function start(words: readonly string[], more: Readonly<Record<string, string>> = {}): RunningProgram {
    const program = startProgram(words, { cwd, env: { ...env, ...more } });
    programs.push(program);
    return program;
  }

  return {
    cwd,
    env,
    galleyUrl: `http://127.0.0.1:${env.GALLEY_PORT}`,
    siteUrl,
    variables,
    get: (path, headers = {}) => fetch(`${siteUrl}${path}`, { headers, redirect: 'manual' }),
    buildDraftUrl: (secret, id) => `${siteUrl}/api/draft?${new URLSearchParams({ secret, id })}`,
    run: (...words) => runWithSuccess(words, { cwd, env }),
    start,
    async startGalley() {
      galley = start(['npm', 'run', 'galley']);
      await galley.waitFor(/"msg":"listening"/);
    },
    async stopGalley() {
      await galley?.stop();
    },
    async serve() {
      await web?.stop();
      web = start(['npm', 'start', '--workspace', 'web', '--', '--port', port]);
      await web.waitFor(new RegExp(`localhost:${port}`));
    },
    async connectWebhook(url) {
      const secret = await createWebhook({ cwd, env }, url);
      await appendFile(variables, `GALLEY_WEBHOOK_SECRET=${secret}\n`);
      return secret;
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program[Symbol.asyncDispose]();
    },
  };
}
