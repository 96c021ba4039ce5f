// Creates, renames and deletes a site's asset folders.

import { FOLDER_RULE, isFolderPath } from '../content/site-definition.ts';
import { composeText } from '../content/text-rules.ts';
import {
  countCreatedFolders,
  createFolder as createFolderRow,
  deleteEmptyFolder,
  type FolderContents,
  renameFolder as renameOneFolder,
  selectFolder,
  selectFolderPath,
} from '../storage/sites/asset-folders.ts';
import type { Actor } from './actor.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from './authoring-refusal.ts';
import { type Desk, type Job, work } from './desk.ts';
import { findSite } from './sites/find-site.ts';

/** A site's folders are listed all at once, not page by page, so their number is limited. */
export const MOST_FOLDERS = 5000;

/** Returns the path of the new folder. */
export function createFolder(desk: Desk, actor: Actor, siteId: string, given: string): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const path = await job.run(selectFolderPath(site.no, given));
    await refuseTaken(job, site.no, path);
    if ((await job.run(countCreatedFolders(site.no))) >= MOST_FOLDERS) {
      const message = `A site can have at most ${MOST_FOLDERS} folders.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached' });
    }
    await job.run(createFolderRow(site.no, path));
    await job.note({ action: 'asset.create_folder', siteId, subjectName: path });
    return path;
  });
}

/** Everything in the folder moves with it, including subfolders. */
export function renameFolder(desk: Desk, actor: Actor, siteId: string, given: string, givenNew: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const { path, folders } = await findFolder(job, site.no, given);
    const occupied = await job.run(selectFolderPath(site.no, givenNew));
    // The folder itself may already have the new name, but in decomposed Unicode form. In that case, renaming only converts the name to
    // composed form.
    const newPath = occupied === path ? composeName(path) : occupied;
    if (path === newPath) return;
    if (newPath.startsWith(`${path}/`)) {
      throw refuseFaults([{ path: 'new_path', message: 'must not be inside the folder itself' }]);
    }
    await refuseTaken(job, site.no, newPath);
    const moves = [path, ...folders].map(
      (from) => [from, `${newPath}${composeText(from.slice(path.length))}`] as const,
    );
    if (!moves.every(([, to]) => isFolderPath(to))) {
      const message = `must be shorter, because every folder inside it must have ${FOLDER_RULE}`;
      throw refuseFaults([{ path: 'new_path', message }]);
    }
    for (const [from, to] of moves) await job.run(renameOneFolder(site.no, from, to));
    const details = describeChange({ folder: path }, { folder: newPath });
    await job.note({ action: 'asset.rename_folder', siteId, subjectName: newPath, details });
  });
}

/** Converts the last name in the path to composed Unicode form. */
function composeName(path: string): string {
  const start = path.lastIndexOf('/') + 1;
  return `${path.slice(0, start)}${composeText(path.slice(start))}`;
}

export function deleteFolder(desk: Desk, actor: Actor, siteId: string, given: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const { path, hasAssets, folders } = await findFolder(job, site.no, given);
    if (hasAssets || folders.length > 0) {
      const message = `Folder “${path}” cannot be deleted: it is not empty.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'in_use' });
    }
    await job.run(deleteEmptyFolder(site.no, path));
    await job.note({ action: 'asset.delete_folder', siteId, subjectName: path });
  });
}

interface FoundFolder extends FolderContents {
  /** The path as it is stored. */
  readonly path: string;
}

async function findFolder(job: Job, siteNo: number, given: string): Promise<FoundFolder> {
  const path = await job.run(selectFolderPath(siteNo, given));
  const folder = await job.run(selectFolder(siteNo, path));
  if (folder === undefined) throw refuseAbsent(`There is no folder “${path}”.`);
  return { ...folder, path };
}

async function refuseTaken(job: Job, siteNo: number, path: string): Promise<void> {
  if ((await job.run(selectFolder(siteNo, path))) === undefined) return;
  throw new AuthoringRefusal(`Folder “${path}” already exists.`, { reason: 'conflict', code: 'taken' });
}
