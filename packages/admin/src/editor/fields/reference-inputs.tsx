// Inputs for fields that refer to assets or to other content.

import type { ContentSummaryBody, ManagedAssetBody } from '@galley/wire';
import { IconFile } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listAssetFacts } from '../../assets/asset-picture.tsx';
import { assetQuery } from '../../assets/asset-queries.ts';
import { StateLabel } from '../../content/state-label.tsx';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './chosen-list.module.css';
import { ChosenList, ChosenState, PickerDialog } from './chosen-list.tsx';
import { readItems } from './field-values.ts';
import { type FieldInputProps, useForm } from './form-context.ts';
import { assetSearch, contentSearch, linkedContentQuery } from './picker-queries.ts';

export function AssetsInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const { site } = useForm();
  const queryClient = useQueryClient();
  const ids = readItems(value, 'assets');
  const change = (assets: readonly string[]): void => onChange(assets.length === 0 ? undefined : { assets });
  const isAllowed = ({ id, mime_type }: ManagedAssetBody): boolean =>
    !ids.includes(id) && (field.allowed_kinds ?? ['']).some((kind) => mime_type.startsWith(kind));
  return (
    <ChosenList
      {...props}
      ids={ids}
      onOrder={change}
      addLabel={EDITOR_TEXTS.addAssets}
      addLabelOf={EDITOR_TEXTS.addAssetsTo}
      nameOf={(id) => queryClient.getQueryData(assetQuery(site, id).queryKey)?.name ?? id}
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
        >
          {(asset) => <AssetLine asset={asset} />}
        </PickerDialog>
      )}
    >
      {(id) => <ChosenAsset id={id} />}
    </ChosenList>
  );
}

function ChosenAsset({ id }: { readonly id: string }) {
  const { site } = useForm();
  const query = useQuery(assetQuery(site, id));
  return query.data === undefined ? <ChosenState kind="asset" query={query} /> : <AssetLine asset={query.data} />;
}

/** An asset in one line: its picture, name and details. */
function AssetLine({ asset }: { readonly asset: ManagedAssetBody }) {
  const { name, url, is_image } = asset;
  return (
    <span className={classes.line}>
      <span className={classes.picture}>
        {is_image && !url.startsWith('/') ? (
          <img src={url} alt="" loading="lazy" />
        ) : (
          <IconFile size={18} stroke={1.5} aria-hidden />
        )}
      </span>
      <span className={classes.texts}>
        <span className={classes.name}>{name}</span>
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

/** Content in one line: its name, type, language and state. */
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
