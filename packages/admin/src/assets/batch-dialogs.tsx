// Dialogs that move, tag or delete the selected assets.

import type { ManagedAssetBody } from '@galley/wire';
import { Autocomplete, Button, Group, Modal, TagsInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { isConflict, isNamedContent } from '../api/api-error.ts';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { assetsKey, foldersQuery, tagsQuery } from './asset-queries.ts';
import { joinPaths, listPaths } from './folder-paths.ts';
import { type AssetBatch, changeAssets } from './library-calls.ts';

export type BatchAction = 'move' | 'tag' | 'delete';

interface BatchDialogProps {
  readonly site: string;
  /** Undefined if no dialog is open. */
  readonly action: BatchAction | undefined;
  readonly assets: readonly ManagedAssetBody[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function BatchDialog({ site, action, assets, onClose, onDone }: BatchDialogProps) {
  const queryClient = useQueryClient();
  const count = assets.length;
  const send = (change: Omit<AssetBatch, 'ids'>): Promise<unknown> => sendInBatches(site, assets, change);
  const finish = async (text: string): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
    onDone();
    showToast({ text });
  };
  const frame = { onClose, closeButtonProps: { 'aria-label': SHELL_TEXTS.close } };
  return (
    <>
      <Modal opened={action === 'move'} title={ASSET_TEXTS.moveTitle(count)} {...frame}>
        <MoveForm
          site={site}
          assets={assets}
          submit={(folder) => send({ folder })}
          onDone={(folder) => {
            onClose();
            return finish(ASSET_TEXTS.moved(count, folder));
          }}
          onClose={onClose}
        />
      </Modal>
      <Modal opened={action === 'tag'} title={ASSET_TEXTS.tagTitle(count)} {...frame}>
        <TagForm
          site={site}
          assets={assets}
          submit={send}
          onDone={() => {
            onClose();
            return finish(ASSET_TEXTS.tagged(count));
          }}
          onClose={onClose}
        />
      </Modal>
      <ConfirmDialog
        isOpen={action === 'delete'}
        title={ASSET_TEXTS.removeManyTitle(count)}
        text={ASSET_TEXTS.removeManyText}
        confirmLabel={ASSET_TEXTS.removeMany}
        onConfirm={async () => {
          await send({ delete: true }).catch(throwRefusal);
          await finish(ASSET_TEXTS.removedMany(count));
        }}
        onClose={onClose}
      />
    </>
  );
}

/** Names the files that are used in content. */
function throwRefusal(error: unknown): never {
  const { assets, total } = isConflict(error) ? error.details : {};
  if (!Array.isArray(assets) || typeof total !== 'number') throw error;
  const names = assets.filter(isNamedContent).map(({ name }) => name);
  throw new Error(ASSET_TEXTS.inUse(names.slice(0, MOST_NAMED), total), { cause: error });
}

const MOST_NAMED = 3;

/** The API changes at most this many assets in one call. */
const MOST_IN_BATCH = 100;

async function sendInBatches(
  site: string,
  assets: readonly ManagedAssetBody[],
  change: Omit<AssetBatch, 'ids'>,
): Promise<void> {
  for (let start = 0; start < assets.length; start += MOST_IN_BATCH) {
    const ids = assets.slice(start, start + MOST_IN_BATCH).map(({ id }) => id);
    await changeAssets(site, { ids, ...change });
  }
}

interface MoveFormProps {
  readonly site: string;
  readonly assets: readonly ManagedAssetBody[];
  readonly submit: (folder: string) => Promise<unknown>;
  readonly onDone: (folder: string) => Promise<void>;
  readonly onClose: () => void;
}

function MoveForm({ site, assets, submit, onDone, onClose }: MoveFormProps) {
  const { data: folders } = useSuspenseQuery(foldersQuery(site));
  const [first] = assets;
  const isTogether = assets.every(({ folder }) => folder === first?.folder);
  const form = useApiForm({
    initial: { folder: isTogether ? (first?.folder ?? '') : '' },
    submit: ({ folder }) => submit(joinPaths(folder)),
    onDone: (_, { folder }) => onDone(joinPaths(folder)),
  });
  return (
    <FormFrame form={form} autoComplete="off">
      <Autocomplete
        data-autofocus
        label={ASSET_TEXTS.moveTo}
        description={ASSET_TEXTS.moveHelp}
        placeholder={ASSET_TEXTS.noFolder}
        openOnFocus={false}
        data={[...listPaths(folders)]}
        value={form.values.folder}
        onChange={(folder) => form.set('folder', folder)}
        error={form.errorOf('folder', ASSET_TEXTS.moveTo)}
      />
      <DialogButtons label={ASSET_TEXTS.move} isPending={form.isPending} onClose={onClose} />
    </FormFrame>
  );
}

interface TagFormProps {
  readonly site: string;
  readonly assets: readonly ManagedAssetBody[];
  readonly submit: (change: Pick<AssetBatch, 'add_tags' | 'remove_tags'>) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function TagForm({ site, assets, submit, onDone, onClose }: TagFormProps) {
  const { data: known } = useSuspenseQuery(tagsQuery(site));
  const used = [...new Set(assets.flatMap(({ tags }) => tags))];
  const initial: { readonly add_tags: string[]; readonly remove_tags: string[] } = { add_tags: [], remove_tags: [] };
  const form = useApiForm({
    initial,
    submit: ({ add_tags, remove_tags }) =>
      submit({
        ...(add_tags.length === 0 ? {} : { add_tags }),
        ...(remove_tags.length === 0 ? {} : { remove_tags }),
      }),
    onDone,
  });
  const { values, set, errorOf } = form;
  return (
    <FormFrame form={form} autoComplete="off">
      <TagsInput
        data-autofocus
        label={ASSET_TEXTS.addTags}
        description={ASSET_TEXTS.tagsHelp}
        openOnFocus={false}
        data={known.map(({ tag }) => tag)}
        value={values.add_tags}
        onChange={(tags) => set('add_tags', tags)}
        acceptValueOnBlur
        error={errorOf('add_tags', ASSET_TEXTS.addTags)}
      />
      {used.length > 0 && (
        <TagsInput
          label={ASSET_TEXTS.removeTags}
          data={used}
          value={values.remove_tags}
          onChange={(tags) => set('remove_tags', tags)}
          acceptValueOnBlur
          error={errorOf('remove_tags', ASSET_TEXTS.removeTags)}
        />
      )}
      <DialogButtons label={SHELL_TEXTS.save} isPending={form.isPending} onClose={onClose} />
    </FormFrame>
  );
}

interface DialogButtonsProps {
  readonly label: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
}

function DialogButtons({ label, isPending, onClose }: DialogButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        {SHELL_TEXTS.cancel}
      </Button>
      <Button type="submit" loading={isPending}>
        {label}
      </Button>
    </Group>
  );
}
