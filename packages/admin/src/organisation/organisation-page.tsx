import { TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { organisationQuery } from './organisation-query.ts';

export function OrganisationPage() {
  const { data } = useSuspenseQuery(organisationQuery);
  const queryClient = useQueryClient();
  const form = useApiForm({
    initial: { name: data.name },
    submit: (body) => readAnswer(api.PATCH('/manage/v1/account', { body })),
    onDone: (changed) => {
      queryClient.setQueryData(organisationQuery.queryKey, changed);
      showToast({ text: SHELL_TEXTS.saved });
    },
  });
  return (
    <Page title={SHELL_TEXTS.organisation} intro={SHELL_TEXTS.organisationIntro} isNarrow>
      <Card>
        <FormFrame form={form}>
          <TextInput autoComplete="organization" {...form.textOf('name', SHELL_TEXTS.organisationName)} />
          <SaveButton form={form} />
        </FormFrame>
      </Card>
    </Page>
  );
}
