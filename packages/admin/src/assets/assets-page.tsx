// The media library: the files in one folder, or those that match a search.

import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconAdjustments, IconDots, IconFolderPlus, IconLink, IconUpload } from '@tabler/icons-react';
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { EmptyState, NothingFound } from '../elements/empty-state.tsx';
import { MenuLink } from '../elements/menu-link.tsx';
import { Page } from '../elements/page.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { SelectionBar } from '../lists/selection-bar.tsx';
import { useSelection } from '../lists/use-selection.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_ASSET_TEXTS } from '../texts/site-asset-texts.ts';
import { UPLOAD_TEXTS } from '../texts/upload-texts.ts';
import { AssetFilters } from './asset-filters.tsx';
import { AssetGrid } from './asset-grid.tsx';
import { assetsQuery, foldersQuery } from './asset-queries.ts';
import { AssetRows } from './asset-rows.tsx';
import { type AssetSearch, DEFAULT_VIEW, isSearch } from './asset-search.ts';
import { type BatchAction, BatchDialog } from './batch-dialogs.tsx';
import { FolderBar } from './folder-bar.tsx';
import { NewFolderDialog } from './folder-dialogs.tsx';
import { joinPaths, listSubfolders, nameFolder } from './folder-paths.ts';
import { chooseFiles, type DroppedFile, readPastedFiles } from './uploads/dropped-files.ts';
import { FileDrop } from './uploads/file-drop.tsx';
import { uploads } from './uploads/uploads.ts';

const route = getRouteApi('/signed-in/sites/$site/assets');

const NO_FILTERS = { search: undefined, kind: undefined, tag: undefined } as const;

export function AssetsPage() {
  const { site } = route.useParams();
  const { folder = '' } = route.useSearch();
  // A different key clears the selection.
  return <Library key={`${site} ${folder}`} site={site} folder={folder} />;
}

interface LibraryProps {
  readonly site: string;
  readonly folder: string;
}

function Library({ site, folder }: LibraryProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: siteBody } = useSuspenseQuery(siteQuery(site));
  const { data: folders } = useSuspenseQuery(foldersQuery(site));
  // The current list stays visible until the next one has loaded.
  const list = useSuspenseInfiniteQuery(assetsQuery(site, useDeferredValue(search)));
  const selection = useSelection(list.data);
  const [action, setAction] = useState<BatchAction>();
  const [isNaming, setIsNaming] = useState(false);

  const change = (members: AssetSearch): void => {
    selection.clear();
    void navigate({ search: (before) => ({ ...before, ...members }), replace: true });
  };
  const upload = (files: readonly DroppedFile[]): void =>
    uploads.add(
      files.map(({ file, folder: inside }) => ({
        site,
        file,
        target: { kind: 'new', folder: joinPaths(folder, inside) },
      })),
    );
  const choose = (): void => chooseFiles((files) => upload(files.map((file) => ({ file, folder: '' }))));
  usePastedFiles(upload);
  useShortcuts([
    { keys: 'U', label: ASSET_TEXTS.upload, run: choose },
    { keys: 'N', label: ASSET_TEXTS.byUrl, run: () => void navigate({ to: '/sites/$site/assets/new' }) },
  ]);

  const subfolders = isSearch(search) ? [] : listSubfolders(folders, folder);
  const isEmpty = list.data.length === 0 && subfolders.length === 0;
  const isLibraryEmpty = isEmpty && folder === '' && !isSearch(search);
  const uploadButton = (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={choose}>
      {ASSET_TEXTS.upload}
    </Button>
  );
  const View = (search.view ?? DEFAULT_VIEW) === 'grid' ? AssetGrid : AssetRows;
  return (
    <FileDrop
      isTall
      label={folder === '' ? UPLOAD_TEXTS.dropHere : UPLOAD_TEXTS.dropInto(nameFolder(folder))}
      onFiles={upload}
    >
      <Page
        title={ASSET_TEXTS.listTitle}
        {...(isLibraryEmpty ? {} : { intro: ASSET_TEXTS.listText })}
        actions={
          <>
            {!isLibraryEmpty && uploadButton}
            <MoreActions site={site} onNewFolder={() => setIsNaming(true)} />
          </>
        }
      >
        {isLibraryEmpty ? (
          <EmptyState title={ASSET_TEXTS.emptyTitle} text={ASSET_TEXTS.emptyText} action={uploadButton} />
        ) : (
          <>
            <AssetFilters site={site} search={search} onChange={change} />
            {(folder !== '' || subfolders.length > 0) && (
              <FolderBar
                site={site}
                folder={folder}
                subfolders={subfolders}
                onLeave={(path) => void navigate({ search: (before) => ({ ...before, folder: path }) })}
              />
            )}
            {list.data.length === 0 && isSearch(search) && <NothingFound onClear={() => change(NO_FILTERS)} />}
            {isEmpty && !isSearch(search) && (
              <EmptyState
                title={ASSET_TEXTS.emptyFolderTitle}
                text={ASSET_TEXTS.emptyFolderText}
                action={uploadButton}
              />
            )}
            {list.data.length > 0 && (
              <View
                site={site}
                siteUrl={siteBody.url}
                assets={list.data}
                selection={selection}
                showsFolders={folder === ''}
              />
            )}
            <ListEnd list={list} />
          </>
        )}
        <SelectionBar count={selection.chosen.size} onClear={selection.clear}>
          <Button size="compact-sm" onClick={() => setAction('move')}>
            {ASSET_TEXTS.move}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAction('tag')}>
            {ASSET_TEXTS.setTags}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAction('delete')}>
            {ASSET_TEXTS.removeMany}
          </Button>
        </SelectionBar>
        <BatchDialog
          site={site}
          action={action}
          assets={[...selection.chosen.values()]}
          onClose={() => setAction(undefined)}
          onDone={selection.clear}
        />
        <NewFolderDialog
          site={site}
          parent={folder}
          isOpen={isNaming}
          onClose={() => setIsNaming(false)}
          onCreated={(path) => void navigate({ search: (before) => ({ ...before, ...NO_FILTERS, folder: path }) })}
        />
      </Page>
    </FileDrop>
  );
}

/** Uploads a pasted screenshot, no matter where the focus is, unless another part of the page handles the paste. */
function usePastedFiles(upload: (files: readonly DroppedFile[]) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || document.querySelector('[aria-modal="true"]') !== null) return;
    const files = readPastedFiles(event.clipboardData, new Date());
    if (files.length > 0) upload(files.map((file) => ({ file, folder: '' })));
  });
  useEffect(() => {
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  }, []);
}

interface MoreActionsProps {
  readonly site: string;
  readonly onNewFolder: () => void;
}

function MoreActions({ site, onNewFolder }: MoreActionsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={SHELL_TEXTS.moreActions}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFolderPlus size={15} aria-hidden />} onClick={onNewFolder}>
          {ASSET_TEXTS.newFolder}
        </Menu.Item>
        <MenuLink to="/sites/$site/assets/new" params={{ site }} leftSection={<IconLink size={15} aria-hidden />}>
          {ASSET_TEXTS.byUrl}
        </MenuLink>
        <MenuLink
          to="/sites/$site/assets/settings"
          params={{ site }}
          leftSection={<IconAdjustments size={15} aria-hidden />}
        >
          {SITE_ASSET_TEXTS.title}
        </MenuLink>
      </Menu.Dropdown>
    </Menu>
  );
}
