import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { AssetForm } from './asset-form.tsx';
import { buildNewBody, NEW_ASSET } from './asset-values.ts';

const route = getRouteApi('/signed-in/sites/$site/assets/new');

export function NewAssetPage() {
  const { site } = route.useParams();
  return (
    <Page title={ASSET_TEXTS.newTitle} intro={ASSET_TEXTS.newText}>
      <AssetForm
        site={site}
        initial={NEW_ASSET}
        isNew
        submit={(values) =>
          readAnswer(
            api.POST('/manage/v1/sites/{site}/assets', { params: { path: { site } }, body: buildNewBody(values) }),
          )
        }
        onSaved={({ name }) => showToast({ text: ASSET_TEXTS.created(name) })}
      />
    </Page>
  );
}
