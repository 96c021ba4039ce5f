import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { CancelLink } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { LanguagesInput } from '../languages/language-inputs.tsx';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { sitesQuery } from './site-queries.ts';

interface NewSite {
  readonly name: string;
  readonly id: string;
  readonly url: string;
  readonly languages: string[];
}

export function NewSitePage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const initial: NewSite = { name: '', id: '', url: '', languages: ['en'] };
  const form = useApiForm({
    initial,
    submit: (site) => readAnswer(api.POST('/manage/v1/sites', { body: buildBody(site) })),
    onDone: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey });
      await navigate({ to: '/sites/$site/settings', params: { site: id } });
    },
  });
  const { values, set, textOf, errorOf } = form;
  return (
    <Page title={SITE_TEXTS.newTitle} isNarrow>
      <Card>
        <FormFrame form={form}>
          <TextInput autoFocus {...textOf('name', SITE_TEXTS.name)} />
          <TextInput
            description={SITE_TEXTS.urlHelp}
            type="url"
            placeholder="https://example.com"
            {...textOf('url', SITE_TEXTS.url)}
          />
          <LanguagesInput
            label={SITE_TEXTS.languages}
            description={SITE_TEXTS.languagesHelp}
            value={values.languages}
            onChange={(languages) => set('languages', languages)}
            error={errorOf('languages', SITE_TEXTS.languages)}
          />
          <TextInput description={SITE_TEXTS.idHelp} {...textOf('id', SITE_TEXTS.id)} />
          <FormButtons form={form} label={SITE_TEXTS.create}>
            <CancelLink to="/sites" />
          </FormButtons>
        </FormFrame>
      </Card>
    </Page>
  );
}

/** Omits empty inputs. */
function buildBody({ name, id, url, languages }: NewSite) {
  return {
    name,
    ...(id === '' ? {} : { id }),
    ...(url === '' ? {} : { url }),
    ...(languages.length === 0 ? {} : { languages }),
  };
}
