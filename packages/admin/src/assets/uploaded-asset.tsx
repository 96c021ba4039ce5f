// The page for an uploaded asset: its picture with the focal point, its details, its current and earlier files, and where it is used.

import type { ManagedAssetBody } from '@galley/wire';
import { Autocomplete, Button, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconExternalLink, IconUpload } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { Facts } from '../elements/facts.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { FormMessage, SaveButton } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { type ApiForm, useApiForm } from '../forms/use-api-form.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { UPLOAD_TEXTS } from '../texts/upload-texts.ts';
import { findFileAddress, findPictureAddress } from './asset-address.ts';
import classes from './asset-form.module.css';
import { AssetImage, usePlaceholder, useSources } from './asset-picture.tsx';
import { assetQuery, assetsKey, foldersQuery, tagsQuery } from './asset-queries.ts';
import { AssetUses } from './asset-uses.tsx';
import type { Point } from './crop-position.ts';
import { EarlierFiles } from './earlier-files.tsx';
import { FocalPoint } from './focal-point.tsx';
import { joinPaths, listPaths } from './folder-paths.ts';
import { formatBytes } from './format-bytes.ts';
import { chooseFiles } from './uploads/dropped-files.ts';
import { FileDrop } from './uploads/file-drop.tsx';
import { uploads } from './uploads/uploads.ts';

interface UploadedAssetProps {
  readonly site: string;
  readonly asset: ManagedAssetBody;
}

interface DetailValues {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  readonly tags: string[];
  readonly focal_point: Point | null;
}

export function UploadedAsset({ site, asset }: UploadedAssetProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: buildValues(asset),
    submit: (values, initial) =>
      readAnswer(
        api.PATCH('/manage/v1/sites/{site}/assets/{asset}', {
          params: { path: { site, asset: asset.id } },
          body: pickChanged(buildBody(values), buildBody(initial)),
        }),
      ),
    onDone: async (saved) => {
      await keepAsset(saved);
      showToast({ text: SHELL_TEXTS.saved });
    },
  });
  const keepAsset = async (changed: ManagedAssetBody): Promise<void> => {
    queryClient.setQueryData(assetQuery(site, asset.id).queryKey, changed);
    await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
  };
  const takeFile = (text: string) => async (changed: ManagedAssetBody) => {
    // The service drops the focal point if the new picture has a different aspect ratio.
    form.set('focal_point', changed.focal_point);
    await keepAsset(changed);
    showToast({ text });
  };
  const replace = ([file, ...others]: readonly File[]): void => {
    if (file === undefined) return;
    if (others.length > 0) showToast({ text: UPLOAD_TEXTS.oneFile, isError: true });
    else {
      const onDone = takeFile(ASSET_TEXTS.replaced);
      uploads.add([
        { site, file, target: { kind: 'replace', asset: asset.id }, onDone: (changed) => void onDone(changed) },
      ]);
    }
  };
  return (
    <form {...form.form} className={classes.form}>
      <div className={classes.preview}>
        <FileDrop label={UPLOAD_TEXTS.dropToReplace} onFiles={(files) => replace(files.map(({ file }) => file))}>
          <AssetPreview asset={asset} form={form} />
        </FileDrop>
      </div>
      <Stack gap="lg">
        <DetailsCard site={site} asset={asset} form={form} />
        <FileCard asset={asset} onReplace={() => chooseFiles(replace, { isOne: true })} />
        <EarlierFiles site={site} asset={asset} onRestored={takeFile(ASSET_TEXTS.restored)} />
        <AssetUses site={site} asset={asset.id} />
      </Stack>
    </form>
  );
}

function buildValues({ name, description, folder, tags, focal_point }: ManagedAssetBody): DetailValues {
  return { name, description: description ?? '', folder, tags: [...tags], focal_point };
}

function buildBody({ name, description, folder, tags, focal_point }: DetailValues) {
  return { name, description: description === '' ? null : description, folder: joinPaths(folder), tags, focal_point };
}

interface AssetPreviewProps {
  readonly asset: ManagedAssetBody;
  readonly form: ApiForm<DetailValues>;
}

function AssetPreview({ asset, form: { values, set } }: AssetPreviewProps) {
  const file = findFileAddress(asset, null);
  const [src, onError] = useSources([findPictureAddress(asset, 'preview') ?? file, file]);
  const { width, height, mime_type: mediaType, description, name } = asset;
  const alt = description ?? name;
  const ground = usePlaceholder(asset.colour, asset.placeholder);
  // An SVG is served unchanged, so it has no crops.
  const canCrop = asset.is_image && mediaType !== 'image/svg+xml' && width !== null && height !== null;
  if (canCrop && src !== undefined) {
    return (
      <FocalPoint
        key={src}
        picture={{ src, alt, width, height, ground, onError }}
        value={values.focal_point}
        onChange={(point) => set('focal_point', point)}
      />
    );
  }
  return (
    <div className={classes.frame}>
      <AssetImage asset={asset} siteUrl={null} size="preview" alt={alt} />
    </div>
  );
}

interface DetailsCardProps extends AssetPreviewProps {
  readonly site: string;
}

function DetailsCard({ site, asset, form }: DetailsCardProps) {
  const { data: folders } = useSuspenseQuery(foldersQuery(site));
  const { data: tags } = useSuspenseQuery(tagsQuery(site));
  const { values, set, textOf, errorOf, message } = form;
  return (
    <Card title={ASSET_TEXTS.details}>
      <FormMessage message={message} />
      <TextInput {...textOf('name', ASSET_TEXTS.name)} />
      <Textarea
        description={asset.is_image ? ASSET_TEXTS.descriptionHelp : ASSET_TEXTS.fileDescriptionHelp}
        autosize
        minRows={2}
        maxRows={8}
        {...textOf('description', asset.is_image ? ASSET_TEXTS.description : ASSET_TEXTS.fileDescription)}
      />
      <Autocomplete
        label={ASSET_TEXTS.folder}
        placeholder={ASSET_TEXTS.noFolder}
        openOnFocus={false}
        data={[...listPaths(folders)]}
        value={values.folder}
        onChange={(folder) => set('folder', folder)}
        error={errorOf('folder', ASSET_TEXTS.folder)}
      />
      <TagsInput
        label={ASSET_TEXTS.tags}
        data={tags.map(({ tag }) => tag)}
        value={values.tags}
        onChange={(chosen) => set('tags', chosen)}
        acceptValueOnBlur
        error={errorOf('tags', ASSET_TEXTS.tags)}
      />
      <SaveButton form={form} />
    </Card>
  );
}

interface FileCardProps {
  readonly asset: ManagedAssetBody;
  readonly onReplace: () => void;
}

function FileCard({ asset, onReplace }: FileCardProps) {
  const { file_name, mime_type, size, width, height, created_at, url } = asset;
  const { copy, copied } = useClipboard({ timeout: 1500 });
  const CopyIcon = copied ? IconCheck : IconCopy;
  return (
    <Card title={ASSET_TEXTS.file} intro={ASSET_TEXTS.replaceIntro}>
      <Facts
        facts={[
          { name: ASSET_TEXTS.fileName, value: <span className={classes.long}>{file_name}</span> },
          { name: ASSET_TEXTS.mediaType, value: mime_type },
          {
            name: ASSET_TEXTS.dimensionsLabel,
            value: width === null || height === null ? null : ASSET_TEXTS.dimensions(width, height),
          },
          { name: ASSET_TEXTS.fileSize, value: formatBytes(size) },
          { name: ASSET_TEXTS.added, value: created_at === null ? null : <TimeText value={created_at} withTime /> },
        ]}
      />
      <Group gap="xs">
        <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={onReplace}>
          {ASSET_TEXTS.replace}
        </Button>
        <Button variant="default" leftSection={<CopyIcon size={16} aria-hidden />} onClick={() => copy(url)}>
          {copied ? SHELL_TEXTS.copied : ASSET_TEXTS.copyUrl}
        </Button>
        <Button
          variant="default"
          component="a"
          href={findFileAddress(asset, null)}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {ASSET_TEXTS.open}
        </Button>
      </Group>
    </Card>
  );
}
