// The page for an asset, and the page that creates a new one.

import type { ManagedAssetBody } from '@galley/wire';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { isUploaded } from './asset-address.ts';
import { AssetForm } from './asset-form.tsx';
import { assetQuery, assetsKey } from './asset-queries.ts';
import { AssetUses } from './asset-uses.tsx';
import { buildChange, buildNewBody, buildValues, NEW_ASSET } from './asset-values.ts';
import { copyIntoLibrary } from './library-calls.ts';
import { UploadedAsset } from './uploaded-asset.tsx';

const assetRoute = getRouteApi('/signed-in/sites/$site/assets/$asset');

export function AssetPage() {
  const path = assetRoute.useParams();
  const { site, asset: id } = path;
  const { data: asset } = useSuspenseQuery(assetQuery(site, id));
  const queryClient = useQueryClient();
  const navigate = assetRoute.useNavigate();
  const remove = async (): Promise<void> => {
    await readAnswer(api.DELETE('/manage/v1/sites/{site}/assets/{asset}', { params: { path } }));
    await navigate({ to: '/sites/$site/assets' });
    // The query is removed only after the user has left this page, because the page would otherwise request the deleted
    // asset again.
    queryClient.removeQueries({ queryKey: assetQuery(site, id).queryKey });
    await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
    showToast({ text: ASSET_TEXTS.removed(asset.name) });
  };
  return (
    <Page title={asset.name} actions={<CopyableId id={asset.id} what={ASSET_TEXTS.assetId} />}>
      {isUploaded(asset) ? (
        <UploadedAsset key={asset.id} site={site} asset={asset} />
      ) : (
        <LinkedAsset key={asset.id} site={site} asset={asset} />
      )}
      <DeleteCard
        label={ASSET_TEXTS.remove}
        intro={ASSET_TEXTS.removeIntro}
        question={ASSET_TEXTS.removeTitle(asset.name)}
        warning={isUploaded(asset) ? ASSET_TEXTS.removeText : ASSET_TEXTS.removeAddressText}
        onDelete={remove}
      />
    </Page>
  );
}

interface LinkedAssetProps {
  readonly site: string;
  readonly asset: ManagedAssetBody;
}

/** An asset whose file is elsewhere on the web. */
function LinkedAsset({ site, asset }: LinkedAssetProps) {
  const path = { site, asset: asset.id };
  const queryClient = useQueryClient();
  const copy = useMutation({
    mutationFn: () => copyIntoLibrary(site, asset.id),
    onSuccess: async (copied) => {
      queryClient.setQueryData(assetQuery(site, asset.id).queryKey, copied);
      await queryClient.invalidateQueries({ queryKey: assetsKey(site) });
      showToast({ text: ASSET_TEXTS.copied });
    },
  });
  return (
    <>
      <AssetForm
        site={site}
        initial={buildValues(asset)}
        isNew={false}
        submit={(values, initial) =>
          readAnswer(
            api.PATCH('/manage/v1/sites/{site}/assets/{asset}', {
              params: { path },
              body: buildChange(values, initial),
            }),
          )
        }
        onSaved={() => showToast({ text: SHELL_TEXTS.saved })}
      />
      {/^https?:/i.test(asset.url) && (
        <Card title={ASSET_TEXTS.copy} intro={ASSET_TEXTS.copyIntro}>
          <FormMessage message={copy.error === null ? undefined : describeError(copy.error)} />
          <div>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={copy.isPending}
              onClick={() => copy.mutate()}
            >
              {ASSET_TEXTS.copy}
            </Button>
          </div>
        </Card>
      )}
      <AssetUses site={site} asset={asset.id} />
    </>
  );
}

const newAssetRoute = getRouteApi('/signed-in/sites/$site/assets/new');

export function NewAssetPage() {
  const { site } = newAssetRoute.useParams();
  return (
    <Page title={ASSET_TEXTS.newTitle} intro={ASSET_TEXTS.newText}>
      <AssetForm
        site={site}
        initial={NEW_ASSET}
        isNew
        submit={async (values) => {
          const params = { path: { site } };
          const created = await readAnswer(
            api.POST('/manage/v1/sites/{site}/assets', { params, body: buildNewBody(values) }),
          );
          if (Array.isArray(created)) throw new Error('Only uploads return several assets');
          return created;
        }}
        onSaved={({ name }) => showToast({ text: ASSET_TEXTS.created(name) })}
      />
    </Page>
  );
}
