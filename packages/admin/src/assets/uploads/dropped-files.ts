// The files from a drop, a paste or the browser's file dialog.

import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';

export interface DroppedFile {
  readonly file: File;
  /** The dropped folder that contains the file, such as `press/2026`; empty for files that were dropped directly. */
  readonly folder: string;
}

/** Whether files are being dragged, rather than text or part of the page. */
export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true;
}

/** Includes the files in dropped folders. Must be called during the drop event, because the browser clears the data afterwards. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const parts = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    parts.map(({ entry, file }) => {
      if (entry !== null && isFolder(entry)) return readFolder(entry, entry.name);
      return file === null ? [] : [{ file, folder: '' }];
    }),
  );
  return found.flat();
}

async function readFolder(folder: FileSystemDirectoryEntry, path: string): Promise<readonly DroppedFile[]> {
  const found: DroppedFile[] = [];
  const reader = folder.createReader();
  // Each call returns only some of the entries.
  for (let entries = await readEntries(reader); entries.length > 0; entries = await readEntries(reader)) {
    for (const entry of entries) {
      if (isFolder(entry)) found.push(...(await readFolder(entry, `${path}/${entry.name}`)));
      else if (isFile(entry) && !isHidden(entry)) found.push({ file: await readFile(entry), folder: path });
    }
  }
  return found;
}

function readEntries(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** Files that operating systems add to folders, such as `.DS_Store`. */
function isHidden({ name }: FileSystemEntry): boolean {
  return name.startsWith('.') || name === 'Thumbs.db';
}

/**
 * The files from a paste. Programs such as Word also add a picture of the text that they copy, so a paste that contains text counts as
 * having no files.
 */
export function readPastedFiles(transfer: DataTransfer | null, now: Date): readonly File[] {
  if (transfer === null || transfer.types.some((type) => type.startsWith('text/'))) return [];
  return [...transfer.files].map((file) => nameScreenshot(file, now));
}

/** Browsers call every pasted screenshot `image.png`. */
function nameScreenshot(file: File, now: Date): File {
  const [, extension] = /^image\.(png|jpe?g|webp)$/.exec(file.name) ?? [];
  if (extension === undefined) return file;
  const [day = '', time = ''] = toLocalText(now).split('T');
  const name = `${UPLOAD_TEXTS.screenshot(day, time.replaceAll(':', '.'))}.${extension}`;
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}

/** Such as `2030-01-31T12:00:00`. */
function toLocalText(moment: Date): string {
  const local = new Date(moment.getTime() - 60_000 * moment.getTimezoneOffset());
  return local.toISOString().slice(0, 19);
}

interface Choice {
  /** Media types, for the browser's dialog. */
  readonly accept?: string;
  readonly isOne?: boolean;
}

/** Opens the browser's file dialog. */
export function chooseFiles(
  onFiles: (files: readonly File[]) => void,
  { accept = '', isOne = false }: Choice = {},
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.multiple = !isOne;
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]));
  input.click();
}

/** Without this, the browser would leave the panel and open a file that is dropped outside an upload area. */
export function guardDrops(page: Window): void {
  for (const type of ['dragover', 'drop'] as const) {
    page.addEventListener(type, (event) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer) || isFileInput(event.target)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
    });
  }
}

function isFileInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'file';
}
