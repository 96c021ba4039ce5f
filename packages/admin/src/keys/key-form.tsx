import type { ApiKeyBody } from '@galley/wire';
import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { keepKey } from './keep-key.ts';
import { KeyFields } from './key-fields.tsx';
import { buildKeyChange, readKeyValues } from './key-values.ts';

export function KeyForm({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  const queryClient = useQueryClient();
  const { form, message, isPending, isChanged, ...fields } = useApiForm({
    initial: readKeyValues(apiKey),
    submit: (values) =>
      readAnswer(
        api.PATCH('/manage/v1/keys/{key}', {
          params: { path: { key: apiKey.id } },
          body: buildKeyChange(values, apiKey),
        }),
      ),
    onDone: async (changed: ApiKeyBody) => {
      await keepKey(queryClient, changed);
      showToast({ text: KEY_TEXTS.changed });
    },
  });
  return (
    <form {...form}>
      <Stack gap="md">
        <FormMessage message={message} />
        <KeyFields form={fields} />
        <div>
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            {SHELL_TEXTS.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
