import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable-id.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { SiteForm } from './site-form.tsx';
import { SiteLanguages } from './site-languages.tsx';
import { siteQuery, sitesQuery } from './site-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/settings');

export function SiteSettingsPage() {
  const { site: id } = route.useParams();
  const { data: site } = useSuspenseQuery(siteQuery(id));
  const isOwner = useIsOwner();
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const remove = async (): Promise<void> => {
    const params = { path: { site: id }, query: { confirm: id } };
    await readAnswer(api.DELETE('/manage/v1/sites/{site}', { params }));
    await navigate({ to: '/sites' });
    // Not before: the page that is left would ask for it once more.
    queryClient.removeQueries({ queryKey: siteQuery(id).queryKey });
    await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey });
    showToast({ text: SITE_TEXTS.removed(site.name) });
  };
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
      {isOwner && (
        <DeleteCard
          label={SITE_TEXTS.removeSite}
          intro={SITE_TEXTS.removeIntro}
          question={SITE_TEXTS.removeTitle(site.name)}
          warning={SITE_TEXTS.removeText}
          typed={site.id}
          onDelete={remove}
        />
      )}
    </Page>
  );
}
