// A created project with Galley on 127.0.0.1 and its built front end on localhost, which browsers treat as different sites.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { type RunningProgram, runWithSuccess, startProgram } from '../../../../scripts/testing/running-program.ts';
import { INSTALL, type PackedCreator } from './packed-creator.ts';
import { createEditor, type ProjectEditor } from './project-editor.ts';

export const QUIET = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

export interface BuiltFrontEnd extends AsyncDisposable {
  /** The origin of the panel and the API. */
  readonly galleyUrl: string;
  readonly siteUrl: string;
  readonly editor: ProjectEditor;
  /** The variables in web/.env.local. */
  readVariables(): Promise<NodeJS.Dict<string>>;
  /** Runs Galley's command line, and returns the JSON that it prints. */
  runGalley(...words: readonly string[]): Promise<NodeJS.Dict<string>>;
  /** Starts the front end again, as after a change of its variables. */
  restart(): Promise<void>;
}

/** @param panelUrl the origin of a panel other than Galley's own */
export async function startBuiltFrontEnd(
  creator: PackedCreator,
  template: 'next' | 'astro',
  panelUrl?: string,
): Promise<BuiltFrontEnd> {
  const name = `built-${template}`;
  const created = await creator.createFromTarballs([name, '--template', template]);
  if (created.status !== 0) throw new Error(created.stderr);
  const cwd = join(creator.folder, name);
  const port = String(await findFreePort());
  const env = { ...QUIET, GALLEY_PORT: String(await findFreePort()), PORT: port };
  const galleyUrl = `http://127.0.0.1:${env.GALLEY_PORT}`;
  const siteUrl = `http://localhost:${port}`;
  await runWithSuccess(INSTALL, { cwd, env });
  const galley = startProgram(['npm', 'run', 'galley'], { cwd, env });
  await galley.waitFor(/"msg":"listening"/);
  const variables = join(cwd, 'web/.env.local');
  if (panelUrl !== undefined) await writeFile(variables, `GALLEY_PANEL_URL=${panelUrl}\n`);
  await prepare();
  await runWithSuccess(['npm', 'run', 'build'], { cwd, env });
  let web = await startWeb();

  /** As `npm start` does. */
  async function prepare(): Promise<void> {
    const script = `
      import { prepareFrontEnd } from './prepare-front-end.js';
      await prepareFrontEnd(${JSON.stringify(galleyUrl)}, ${JSON.stringify(siteUrl)});
    `;
    await runWithSuccess(['node', '--input-type=module', '--eval', script], { cwd, env });
  }

  async function startWeb(): Promise<RunningProgram> {
    const program = startProgram(['npm', 'start', '--workspace', 'web', '--', '--port', port], { cwd, env });
    await program.waitFor(new RegExp(`localhost:${port}`));
    return program;
  }

  return {
    galleyUrl,
    siteUrl,
    editor: await createEditor({ cwd, env }),
    readVariables: async () => parseEnv(await readFile(variables, 'utf8')),
    runGalley: async (...words) =>
      JSON.parse(await runWithSuccess(['npx', '--no', 'galley', ...words, '--json'], { cwd, env })),
    async restart() {
      await web.stop();
      await prepare();
      web = await startWeb();
    },
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]();
      await galley[Symbol.asyncDispose]();
    },
  };
}
