// Shows the path of the current folder, and the folders in it.

import type { AssetFolderBody } from '@galley/wire';
import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronRight, IconDots, IconFolder, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import classes from './folder-bar.module.css';
import { DeleteFolderDialog, RenameFolderDialog } from './folder-dialogs.tsx';
import { listAncestors, nameFolder, parentOf } from './folder-paths.ts';

interface FolderBarProps {
  readonly site: string;
  readonly folder: string;
  readonly subfolders: readonly AssetFolderBody[];
  /** Called if the current folder was renamed or deleted. */
  readonly onLeave: (path: string | undefined) => void;
}

export function FolderBar({ site, folder, subfolders, onLeave }: FolderBarProps) {
  const ancestors = listAncestors(folder);
  return (
    <div className={classes.bar}>
      {folder !== '' && (
        <nav className={classes.path} aria-label={ASSET_TEXTS.path}>
          <ol>
            <li>
              <FolderLink path={undefined}>{ASSET_TEXTS.topLevel}</FolderLink>
            </li>
            {ancestors.map((path) => (
              <li key={path}>
                <IconChevronRight size={14} aria-hidden />
                {path === folder ? (
                  <span aria-current="page">{nameFolder(path)}</span>
                ) : (
                  <FolderLink path={path}>{nameFolder(path)}</FolderLink>
                )}
              </li>
            ))}
          </ol>
          <FolderMenu
            site={site}
            path={folder}
            onRenamed={onLeave}
            onDeleted={() => onLeave(parentOf(folder) || undefined)}
          />
        </nav>
      )}
      {subfolders.length > 0 && (
        <ul className={classes.folders} aria-label={ASSET_TEXTS.folders}>
          {subfolders.map(({ path, count }) => (
            <li key={path} className={classes.folder}>
              <FolderLink path={path} className={classes.link}>
                <IconFolder size={18} stroke={1.6} aria-hidden />
                <span className={classes.name}>{nameFolder(path)}</span>
                <span className={classes.count} title={ASSET_TEXTS.fileCount(count)}>
                  {count.toLocaleString('en')}
                </span>
              </FolderLink>
              <FolderMenu site={site} path={path} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FolderLinkProps {
  readonly path: string | undefined;
  readonly className?: string | undefined;
  readonly children: React.ReactNode;
}

function FolderLink({ path, className, children }: FolderLinkProps) {
  return (
    <Link
      from="/sites/$site/assets"
      to="."
      search={(before) => ({ ...before, search: undefined, kind: undefined, tag: undefined, folder: path })}
      // Without this option, the link to the top level would count as the current page in every folder.
      activeOptions={{ explicitUndefined: true }}
      className={className}
    >
      {children}
    </Link>
  );
}

interface FolderMenuProps {
  readonly site: string;
  readonly path: string;
  readonly onRenamed?: (path: string) => void;
  readonly onDeleted?: () => void;
}

function FolderMenu({ site, path, onRenamed, onDeleted }: FolderMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={24} aria-label={ASSET_TEXTS.folderActions(nameFolder(path))}>
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setDialog('rename')}>
            {ASSET_TEXTS.renameFolder}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setDialog('delete')}>
            {ASSET_TEXTS.deleteFolder}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameFolderDialog
        site={site}
        path={path}
        isOpen={dialog === 'rename'}
        onClose={close}
        {...(onRenamed === undefined ? {} : { onRenamed })}
      />
      <DeleteFolderDialog
        site={site}
        path={path}
        isOpen={dialog === 'delete'}
        onClose={close}
        {...(onDeleted === undefined ? {} : { onDeleted })}
      />
    </>
  );
}
