// A created project with Galley on 127.0.0.1 and its built front end on localhost. Browsers treat these addresses as different sites.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { runWithSuccess, startProgram } from '../../../../scripts/testing/running-program.ts';
import { INSTALL, type PackedCreator } from './packed-creator.ts';
import { createEditor, createOwner, type Owner, type ProjectEditor } from './project-editor.ts';

export const QUIET = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

export interface BuiltFrontEnd extends AsyncDisposable {
  /** The origin of the panel and the API. */
  readonly galleyUrl: string;
  readonly siteUrl: string;
  readonly editor: ProjectEditor;
  /** Somebody who can sign in to the panel. */
  readonly owner: Owner;
  readSecret(): Promise<string>;
  /** Returns the new secret. */
  rotateSecret(): Promise<string>;
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
  if (panelUrl !== undefined) await writeFile(join(cwd, 'web/.env.local'), `GALLEY_PANEL_URL=${panelUrl}\n`);
  await prepare();
  await runWithSuccess(['npm', 'run', 'build'], { cwd, env });
  const web = startProgram(['npm', 'start', '--workspace', 'web', '--', '--port', port], { cwd, env });
  await web.waitFor(new RegExp(`localhost:${port}`));

  /** Does the same as `npm start`. */
  async function prepare(): Promise<void> {
    const script = `
      import { prepareFrontEnd } from './prepare-front-end.js';
      await prepareFrontEnd(${JSON.stringify(galleyUrl)}, ${JSON.stringify(siteUrl)});
    `;
    await runWithSuccess(['node', '--input-type=module', '--eval', script], { cwd, env });
  }

  async function runPreview(action: string): Promise<string> {
    const words = ['npx', '--no', 'galley', 'preview', action, '--site', 's_demo', '--json'];
    return JSON.parse(await runWithSuccess(words, { cwd, env })).secret;
  }

  return {
    galleyUrl,
    siteUrl,
    editor: await createEditor({ cwd, env }),
    owner: await createOwner({ cwd, env }),
    readSecret: () => runPreview('show'),
    rotateSecret: () => runPreview('rotate-secret'),
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]();
      await galley[Symbol.asyncDispose]();
    },
  };
}
