// Inputs for fields that refer to assets or to other content.

import type { ContentSummaryBody, ManagedAssetBody } from '@galley/wire';
import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { AssetImage, listAssetFacts } from '../../assets/asset-picture.tsx';
import { assetQuery } from '../../assets/asset-queries.ts';
import { chooseFiles, type DroppedFile } from '../../assets/uploads/dropped-files.ts';
import { FileDrop } from '../../assets/uploads/file-drop.tsx';
import { StateLabel } from '../../content/state-label.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { siteQuery } from '../../sites/site-queries.ts';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import { addUploaded, isKindAllowed } from './added-assets.ts';
import classes from './chosen-list.module.css';
import { ChosenList, ChosenState, PickerDialog } from './chosen-list.tsx';
import { readItems } from './field-values.ts';
import { type FieldInputProps, useForm } from './form-context.ts';
import { AddButton } from './item-list.tsx';
import { assetSearch, contentSearch, linkedContentQuery } from './picker-queries.ts';
import { useFieldUploads } from './use-field-uploads.ts';

export function AssetsInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const { site, isReadOnly } = useForm();
  const queryClient = useQueryClient();
  const uploadToField = useFieldUploads(field.name);
  const ids = readItems(value, 'assets');
  const change = (assets: readonly string[]): void => {
    // Two uploads may finish before the form is rendered again.
    newest.current = { ids: assets, change };
    onChange(assets.length === 0 ? undefined : { assets });
  };
  const newest = useRef({ ids, change });
  useLayoutEffect(() => {
    newest.current = { ids, change };
  });
  const isAllowed = ({ id, mime_type }: ManagedAssetBody): boolean =>
    !ids.includes(id) && isKindAllowed(field.allowed_kinds, mime_type);
  const upload = (files: readonly DroppedFile[], onAsset: (asset: ManagedAssetBody, index: number) => void): void => {
    // Browsers cannot determine the type of every file, but the service can.
    const isTaken = ({ file }: DroppedFile): boolean =>
      file.type === '' || isKindAllowed(field.allowed_kinds, file.type);
    const refused = files.filter((file) => !isTaken(file)).map(({ file }) => file.name);
    if (refused.length > 0) showToast({ text: UPLOAD_TEXTS.notAllowed(refused, field.name), isError: true });
    uploadToField(files.filter(isTaken), (asset, index) => {
      if (isKindAllowed(field.allowed_kinds, asset.mime_type)) onAsset(asset, index);
      else showToast({ text: UPLOAD_TEXTS.notAllowed([asset.name], field.name), isError: true });
    });
  };
  const addFiles = (files: readonly DroppedFile[]): void => {
    const batch: (string | undefined)[] = [];
    upload(files, ({ id }, index) => {
      batch[index] = id;
      newest.current.change(addUploaded(newest.current.ids, batch, index));
    });
  };
  const accept = (field.allowed_kinds ?? []).map((kind) => (kind.endsWith('/') ? `${kind}*` : kind)).join(',');
  return (
    <FileDrop label={UPLOAD_TEXTS.dropInField(field.name)} isDisabled={isReadOnly} onFiles={addFiles}>
      <ChosenList
        {...props}
        ids={ids}
        onOrder={change}
        addLabel={EDITOR_TEXTS.addAssets}
        addLabelOf={EDITOR_TEXTS.addAssetsTo}
        nameOf={(id) => queryClient.getQueryData(assetQuery(site, id).queryKey)?.name ?? id}
        moreActions={
          <AddButton
            icon={IconUpload}
            text={UPLOAD_TEXTS.upload}
            label={UPLOAD_TEXTS.uploadTo(field.name)}
            onClick={() => chooseFiles((files) => addFiles(files.map((file) => ({ file, folder: '' }))), { accept })}
          />
        }
        picker={(close) => (
          <PickerDialog<ManagedAssetBody>
            title={EDITOR_TEXTS.addAssetsTo(field.name)}
            searchLabel={EDITOR_TEXTS.searchAssets}
            search={(text) => assetSearch(site, field, text)}
            isChoice={isAllowed}
            onChoose={(assets) => {
              for (const asset of assets) queryClient.setQueryData(assetQuery(site, asset.id).queryKey, asset);
              change([...ids, ...assets.map(({ id }) => id)]);
            }}
            onClose={close}
            frame={(content, choose) => (
              <FileDrop label={UPLOAD_TEXTS.dropHere} onFiles={(files) => upload(files, choose)}>
                {content}
              </FileDrop>
            )}
            action={(choose) => (
              <Button
                variant="default"
                leftSection={<IconUpload size={16} aria-hidden />}
                onClick={() =>
                  chooseFiles(
                    (files) =>
                      upload(
                        files.map((file) => ({ file, folder: '' })),
                        choose,
                      ),
                    { accept },
                  )
                }
              >
                {UPLOAD_TEXTS.upload}
              </Button>
            )}
          >
            {(asset) => <AssetLine asset={asset} />}
          </PickerDialog>
        )}
      >
        {(id) => <ChosenAsset id={id} />}
      </ChosenList>
    </FileDrop>
  );
}

function ChosenAsset({ id }: { readonly id: string }) {
  const { site } = useForm();
  const query = useQuery(assetQuery(site, id));
  return query.data === undefined ? <ChosenState kind="asset" query={query} /> : <AssetLine asset={query.data} />;
}

/** An asset on one line: its picture, name and details. */
function AssetLine({ asset }: { readonly asset: ManagedAssetBody }) {
  const { site } = useForm();
  const { data: siteBody } = useQuery(siteQuery(site));
  return (
    <span className={classes.line}>
      <span className={classes.picture}>
        <AssetImage asset={asset} siteUrl={siteBody?.url ?? null} size="thumbnail" />
      </span>
      <span className={classes.texts}>
        <span className={classes.name}>{asset.name}</span>
        <span className={classes.small}>{listAssetFacts(asset).join(' · ')}</span>
      </span>
    </span>
  );
}

export function ContentLinksInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const { site } = useForm();
  const queryClient = useQueryClient();
  const ids = readItems(value, 'content_links');
  const change = (links: readonly string[]): void =>
    onChange(links.length === 0 ? undefined : { content_links: links });
  const isAllowed = ({ id, content_type }: ContentSummaryBody): boolean =>
    !ids.includes(id) && (field.allowed_types === undefined || field.allowed_types.includes(content_type));
  return (
    <ChosenList
      {...props}
      ids={ids}
      onOrder={change}
      addLabel={EDITOR_TEXTS.addLinks}
      addLabelOf={EDITOR_TEXTS.addLinksTo}
      nameOf={(id) => queryClient.getQueryData(linkedContentQuery(site, id).queryKey)?.name ?? id}
      picker={(close) => (
        <PickerDialog<ContentSummaryBody>
          title={EDITOR_TEXTS.addLinksTo(field.name)}
          searchLabel={EDITOR_TEXTS.searchContent}
          search={(text) => contentSearch(site, field, text)}
          isChoice={isAllowed}
          onChoose={(contents) => {
            for (const content of contents) {
              queryClient.setQueryData(linkedContentQuery(site, content.id).queryKey, content);
            }
            change([...ids, ...contents.map(({ id }) => id)]);
          }}
          onClose={close}
        >
          {(content) => <ContentLine content={content} />}
        </PickerDialog>
      )}
    >
      {(id) => <ChosenContent id={id} />}
    </ChosenList>
  );
}

function ChosenContent({ id }: { readonly id: string }) {
  const { site } = useForm();
  const query = useQuery(linkedContentQuery(site, id));
  return query.data === undefined ? <ChosenState kind="content" query={query} /> : <ContentLine content={query.data} />;
}

/** Content on one line: its name, type, language and state. */
function ContentLine({ content }: { readonly content: ContentSummaryBody }) {
  const { site, types } = useForm();
  const nameLanguage = useLanguageNames(site);
  const type = types.find(({ handle }) => handle === content.content_type)?.name ?? content.content_type;
  return (
    <span className={classes.line} data-stacks>
      <span className={classes.texts}>
        <span className={classes.name}>{content.name}</span>
        <span className={classes.small}>{EDITOR_TEXTS.typeAndLanguage(type, nameLanguage(content.language))}</span>
      </span>
      <StateLabel state={content.state} />
    </span>
  );
}
