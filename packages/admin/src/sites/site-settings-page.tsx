import type { SiteBody } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CopyableId } from '../elements/copyable.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { pickChanged } from '../forms/form-values.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { useIsOwner } from '../session/use-user.ts';
import { PREVIEW_SETTINGS_TEXTS } from '../texts/preview-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_ASSET_TEXTS } from '../texts/site-asset-texts.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { SiteLanguages } from './site-languages.tsx';
import { keepSite, siteQuery, sitesQuery } from './site-queries.ts';

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
    // The query is removed only after the user has left this page, because the page would otherwise request the deleted
    // site again.
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
      <Card title={SITE_ASSET_TEXTS.title} intro={SITE_ASSET_TEXTS.settingsIntro}>
        <div>
          <LinkButton variant="default" to="/sites/$site/assets/settings" params={{ site: site.id }}>
            {isOwner ? SITE_ASSET_TEXTS.change : SITE_ASSET_TEXTS.show}
          </LinkButton>
        </div>
      </Card>
      {isOwner && (
        <Card title={PREVIEW_SETTINGS_TEXTS.title} intro={PREVIEW_SETTINGS_TEXTS.cardIntro}>
          <div>
            <LinkButton variant="default" to="/sites/$site/preview" params={{ site: site.id }}>
              {PREVIEW_SETTINGS_TEXTS.change}
            </LinkButton>
          </div>
        </Card>
      )}
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

interface SiteFormProps {
  readonly site: SiteBody;
  readonly isReadOnly: boolean;
}

function SiteForm({ site, isReadOnly }: SiteFormProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: { name: site.name, url: site.url ?? '' },
    submit: (entered, initial) =>
      readAnswer(
        api.PATCH('/manage/v1/sites/{site}', {
          params: { path: { site: site.id } },
          body: pickChanged(buildBody(entered), buildBody(initial)),
        }),
      ),
    onDone: async (changed) => {
      await keepSite(queryClient, changed);
      showToast({ text: SHELL_TEXTS.saved });
    },
  });
  const { textOf } = form;
  return (
    <FormFrame form={form}>
      <TextInput readOnly={isReadOnly} {...textOf('name', SITE_TEXTS.name)} />
      <TextInput
        description={SITE_TEXTS.urlHelp}
        type="url"
        placeholder="https://example.com"
        readOnly={isReadOnly}
        {...textOf('url', SITE_TEXTS.url)}
      />
      {!isReadOnly && <SaveButton form={form} />}
    </FormFrame>
  );
}

function buildBody({ name, url }: { readonly name: string; readonly url: string }) {
  return { name, url: url === '' ? null : url };
}
