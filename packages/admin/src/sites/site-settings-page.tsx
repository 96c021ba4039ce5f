import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { Page } from '../elements/page.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { SiteForm } from './site-form.tsx';
import { SiteLanguages } from './site-languages.tsx';
import { siteQuery } from './site-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/settings');

export function SiteSettingsPage() {
  const { site: id } = route.useParams();
  const { data: site } = useSuspenseQuery(siteQuery(id));
  const isOwner = useIsOwner();
  return (
    <Page
      title={SITE_TEXTS.settingsHeading}
      tabTitle={SITE_TEXTS.settingsTitle(site.name)}
      intro={isOwner ? undefined : SITE_TEXTS.readOnly}
      actions={<CopyableId id={site.id} what={SITE_TEXTS.siteId} />}
      isNarrow
    >
      <Card title={SITE_TEXTS.general}>
        <SiteForm key={site.id} site={site} isReadOnly={!isOwner} />
      </Card>
      <Card title={SITE_TEXTS.languages} intro={SITE_TEXTS.languagesIntro}>
        <SiteLanguages key={site.id} site={site} isReadOnly={!isOwner} />
      </Card>
    </Page>
  );
}
