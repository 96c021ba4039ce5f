import type { ManagedAssetBody } from '@galley/wire';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { assetQuery } from '../../assets/asset-queries.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { AssetLine } from './asset-line.tsx';
import { ChosenList, ChosenState } from './chosen-list.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { readItems } from './field-values.ts';
import { useForm } from './form-context.ts';
import { PickerDialog } from './picker-dialog.tsx';
import { assetSearch } from './picker-queries.ts';

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
  const { data: asset, isError } = useQuery(assetQuery(site, id));
  return asset === undefined ? <ChosenState id={id} isGone={isError} /> : <AssetLine asset={asset} />;
}
