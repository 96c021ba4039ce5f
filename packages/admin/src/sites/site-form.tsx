import type { SiteBody } from '@galley/wire';
import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { pickChanged } from '../forms/pick-changed.ts';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { SITE_TEXTS } from '../texts/site-texts.ts';
import { keepSite } from './keep-site.ts';

interface SiteFormProps {
  readonly site: SiteBody;
  readonly isReadOnly: boolean;
}

export function SiteForm({ site, isReadOnly }: SiteFormProps) {
  const queryClient = useQueryClient();
  const { form, values, set, errorOf, message, isPending, isChanged } = useApiForm({
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
      notifications.show({ message: SHELL_TEXTS.saved });
    },
  });
  return (
    <form {...form}>
      <Stack gap="md" align="flex-start">
        <FormMessage message={message} />
        <TextInput
          w="100%"
          label={SITE_TEXTS.name}
          readOnly={isReadOnly}
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        <TextInput
          w="100%"
          label={SITE_TEXTS.url}
          description={SITE_TEXTS.urlHelp}
          type="url"
          placeholder="https://example.com"
          readOnly={isReadOnly}
          value={values.url}
          onChange={(event) => set('url', event.currentTarget.value)}
          error={errorOf('url')}
        />
        {!isReadOnly && (
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            {SHELL_TEXTS.save}
          </Button>
        )}
      </Stack>
    </form>
  );
}

function buildBody({ name, url }: { readonly name: string; readonly url: string }) {
  return { name, url: url === '' ? null : url };
}
