import type { NewApiKeyBody } from '@galley/wire';
import { Button, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { LinkButton } from '../elements/link-button.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { KeyFields } from './key-fields.tsx';
import { buildKeyBody, type KeyValues } from './key-values.ts';

interface NewKeyFormProps {
  readonly onCreated: (key: NewApiKeyBody) => Promise<void>;
}

export function NewKeyForm({ onCreated }: NewKeyFormProps) {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const initial: KeyValues = {
    name: '',
    all_sites: sites.length === 0,
    sites: sites.length === 1 ? sites.map(({ id }) => id) : [],
    preview: false,
    expires_at: null,
    rate_limit: '',
  };
  const { form, message, isPending, ...fields } = useApiForm({
    initial,
    submit: (key) => readAnswer(api.POST('/manage/v1/keys', { body: buildKeyBody(key) })),
    onDone: onCreated,
  });
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={message} />
        <KeyFields form={fields} isNew />
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {KEY_TEXTS.create}
          </Button>
          <LinkButton to="/account/keys" variant="default">
            {SHELL_TEXTS.cancel}
          </LinkButton>
        </Group>
      </Stack>
    </form>
  );
}
