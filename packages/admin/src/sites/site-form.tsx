import type { SiteBody } from '@galley/wire';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { SaveButton } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
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
      <TextInput label={SITE_TEXTS.name} readOnly={isReadOnly} {...textOf('name')} />
      <TextInput
        label={SITE_TEXTS.url}
        description={SITE_TEXTS.urlHelp}
        type="url"
        placeholder="https://example.com"
        readOnly={isReadOnly}
        {...textOf('url')}
      />
      {!isReadOnly && <SaveButton form={form} />}
    </FormFrame>
  );
}

function buildBody({ name, url }: { readonly name: string; readonly url: string }) {
  return { name, url: url === '' ? null : url };
}
