import { Button, Group, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
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
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial,
    submit: (site) => readAnswer(api.POST('/manage/v1/sites', { body: buildBody(site) })),
    onDone: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey });
      await navigate({ to: '/sites/$site/settings', params: { site: id } });
    },
  });
  return (
    <Page title={SITE_TEXTS.newTitle} isNarrow>
      <Card>
        <form {...form}>
          <Stack gap="md">
            <FormMessage message={message} />
            <TextInput
              label={SITE_TEXTS.name}
              autoFocus
              value={values.name}
              onChange={(event) => set('name', event.currentTarget.value)}
              error={errorOf('name')}
            />
            <TextInput
              label={SITE_TEXTS.url}
              description={SITE_TEXTS.urlHelp}
              type="url"
              placeholder="https://example.com"
              value={values.url}
              onChange={(event) => set('url', event.currentTarget.value)}
              error={errorOf('url')}
            />
            <TagsInput
              label={SITE_TEXTS.languages}
              description={SITE_TEXTS.languagesHelp}
              value={values.languages}
              onChange={(languages) => set('languages', languages)}
              error={errorOf('languages')}
              acceptValueOnBlur
            />
            <TextInput
              label={SITE_TEXTS.id}
              description={SITE_TEXTS.idHelp}
              value={values.id}
              onChange={(event) => set('id', event.currentTarget.value)}
              error={errorOf('id')}
            />
            <Group gap="xs">
              <Button type="submit" loading={isPending}>
                {SITE_TEXTS.create}
              </Button>
              <LinkButton to="/sites" variant="default">
                {SHELL_TEXTS.cancel}
              </LinkButton>
            </Group>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}

/** What was left empty is left out. */
function buildBody({ name, id, url, languages }: NewSite) {
  return {
    name,
    ...(id === '' ? {} : { id }),
    ...(url === '' ? {} : { url }),
    ...(languages.length === 0 ? {} : { languages }),
  };
}
