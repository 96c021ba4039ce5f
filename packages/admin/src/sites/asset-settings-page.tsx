import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { SITE_ASSET_TEXTS } from '../texts/site-asset-texts.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { SiteImages } from './site-images.tsx';
import { SiteUploads } from './site-uploads.tsx';

const route = getRouteApi('/signed-in/sites/$site/assets/settings');

export function AssetSettingsPage() {
  const { site } = route.useParams();
  const isOwner = useIsOwner();
  return (
    <Page title={SITE_ASSET_TEXTS.title} intro={isOwner ? undefined : SITE_TEXTS.readOnly} isNarrow>
      <Card title={SITE_ASSET_TEXTS.uploads} intro={SITE_ASSET_TEXTS.uploadsIntro}>
        <SiteUploads key={site} site={site} isReadOnly={!isOwner} />
      </Card>
      <Card title={SITE_ASSET_TEXTS.images} intro={SITE_ASSET_TEXTS.imagesIntro}>
        <SiteImages key={site} site={site} isReadOnly={!isOwner} />
      </Card>
    </Page>
  );
}
