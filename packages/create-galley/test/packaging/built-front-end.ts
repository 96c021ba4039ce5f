// A project whose front end is built and served, with people who work in it.

import { appendFile } from 'node:fs/promises';
import { createFrontEnd, type FrontEndProject, type Template } from './front-end-project.ts';
import type { PackedCreator } from './packed-creator.ts';
import { createEditor, createOwner, type Owner, type ProjectEditor } from './project-editor.ts';

export interface BuiltFrontEnd extends FrontEndProject {
  readonly editor: ProjectEditor;
  /** Somebody who can sign in to the panel. */
  readonly owner: Owner;
}

/** @param panelUrl the origin of a panel other than Galley's own */
export async function startBuiltFrontEnd(
  creator: PackedCreator,
  template: Template,
  panelUrl?: string,
): Promise<BuiltFrontEnd> {
  const project = await createFrontEnd(creator, template);
  await project.startGalley();
  // Does the same as `npm start`.
  const prepare = `
    import { prepareFrontEnd } from './prepare-front-end.js';
    await prepareFrontEnd(${JSON.stringify(project.galleyUrl)}, ${JSON.stringify(project.siteUrl)});
  `;
  await project.run('node', '--input-type=module', '--eval', prepare);
  if (panelUrl !== undefined) await appendFile(project.variables, `GALLEY_PANEL_URL=${panelUrl}\n`);
  await project.run('npm', 'run', 'build');
  await project.serve();
  return { ...project, editor: await createEditor(project), owner: await createOwner(project) };
}
