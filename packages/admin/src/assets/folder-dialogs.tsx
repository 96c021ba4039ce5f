// Dialogs that create, rename and delete a folder.

import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { assetsKey } from './asset-queries.ts';
import { joinPaths, nameFolder, parentOf } from './folder-paths.ts';
import { createFolder, deleteFolder, renameFolder } from './library-calls.ts';

interface DialogProps {
  readonly site: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface NewFolderDialogProps extends DialogProps {
  readonly parent: string;
  readonly onCreated: (path: string) => void;
}

export function NewFolderDialog({ site, parent, isOpen, onClose, onCreated }: NewFolderDialogProps) {
  const queryClient = useQueryClient();
  return (
    <NameDialog
      title={parent === '' ? ASSET_TEXTS.newFolder : ASSET_TEXTS.newFolderIn(nameFolder(parent))}
      label={ASSET_TEXTS.createFolder}
      initial=""
      isOpen={isOpen}
      onClose={onClose}
      submit={(name) => createFolder(site, joinPaths(parent, name))}
      onDone={async (name) => {
        await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
        onCreated(joinPaths(parent, name));
      }}
    />
  );
}

interface RenameFolderDialogProps extends DialogProps {
  readonly path: string;
  readonly onRenamed?: (path: string) => void;
}

export function RenameFolderDialog({ site, path, isOpen, onClose, onRenamed }: RenameFolderDialogProps) {
  const queryClient = useQueryClient();
  const build = (name: string): string => joinPaths(parentOf(path), name);
  return (
    <NameDialog
      title={ASSET_TEXTS.renameFolderTitle(nameFolder(path))}
      label={ASSET_TEXTS.renameFolder}
      initial={nameFolder(path)}
      isOpen={isOpen}
      onClose={onClose}
      submit={(name) => renameFolder(site, path, build(name))}
      onDone={async (name) => {
        onRenamed?.(build(name));
        await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
        showToast({ text: ASSET_TEXTS.folderRenamed(nameFolder(build(name))) });
      }}
    />
  );
}

interface NameDialogProps extends Omit<DialogProps, 'site'> {
  readonly title: string;
  readonly label: string;
  readonly initial: string;
  readonly submit: (name: string) => Promise<unknown>;
  readonly onDone: (name: string) => Promise<void>;
}

function NameDialog({ title, isOpen, onClose, ...form }: NameDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': SHELL_TEXTS.close }}>
      <NameForm onClose={onClose} {...form} />
    </Modal>
  );
}

function NameForm({ label, initial, submit, onDone, onClose }: Omit<NameDialogProps, 'title' | 'isOpen'>) {
  const form = useApiForm({
    initial: { name: initial },
    submit: ({ name }) => submit(name),
    onDone: async (_, { name }) => {
      onClose();
      await onDone(name);
    },
    // The API reports errors for the path, of which the name is only a part.
    fieldOf: () => 'name',
  });
  return (
    <FormFrame form={form} autoComplete="off">
      <TextInput data-autofocus {...form.textOf('name', ASSET_TEXTS.folderName)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {SHELL_TEXTS.cancel}
        </Button>
        <Button type="submit" loading={form.isPending} disabled={form.values.name.trim() === ''}>
          {label}
        </Button>
      </Group>
    </FormFrame>
  );
}

interface DeleteFolderDialogProps extends DialogProps {
  readonly path: string;
  readonly onDeleted?: () => void;
}

export function DeleteFolderDialog({ site, path, isOpen, onClose, onDeleted }: DeleteFolderDialogProps) {
  const queryClient = useQueryClient();
  const name = nameFolder(path);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={ASSET_TEXTS.deleteFolderTitle(name)}
      text={ASSET_TEXTS.deleteFolderText}
      confirmLabel={ASSET_TEXTS.deleteFolder}
      onConfirm={async () => {
        await deleteFolder(site, path);
        onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
        showToast({ text: ASSET_TEXTS.folderDeleted(name) });
      }}
      onClose={onClose}
    />
  );
}
