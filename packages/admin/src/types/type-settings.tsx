import type { ManagedTypeBody } from '@galley/wire';
import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';
import { keepType } from './type-queries.ts';
import { UriPatternInput } from './uri-pattern-input.tsx';

interface TypeSettingsProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly isReadOnly: boolean;
  /** Whether something was written that is not saved. */
  readonly onChanged: (isChanged: boolean) => void;
}

export function TypeSettings({ site, type, isReadOnly, onChanged }: TypeSettingsProps) {
  const queryClient = useQueryClient();
  const { form, values, set, errorOf, message, isPending, isChanged } = useApiForm({
    initial: { name: type.name, uri_pattern: type.uri_pattern },
    submit: (body) =>
      readAnswer(
        api.PATCH('/manage/v1/sites/{site}/types/{type}', { params: { path: { site, type: type.handle } }, body }),
      ),
    onDone: async (changed) => {
      await keepType(queryClient, site, changed);
      notifications.show({ message: SHELL_TEXTS.saved });
    },
  });
  useEffect(() => {
    onChanged(isChanged);
    return () => onChanged(false);
  }, [isChanged, onChanged]);
  const isPatternNew = values.uri_pattern !== type.uri_pattern;
  return (
    <form {...form}>
      <Stack gap="md" align="flex-start">
        <FormMessage message={message} />
        <TextInput
          w="100%"
          label={TYPE_TEXTS.name}
          readOnly={isReadOnly}
          value={values.name}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={errorOf('name')}
        />
        {type.object_type !== 'block' && (
          <UriPatternInput
            isReadOnly={isReadOnly}
            value={values.uri_pattern}
            onChange={(value) => set('uri_pattern', value)}
            error={errorOf('uri_pattern')}
            {...(isPatternNew ? { note: TYPE_TEXTS.uriChange } : {})}
          />
        )}
        {!isReadOnly && (
          <Button type="submit" variant="default" loading={isPending} disabled={!isChanged}>
            {SHELL_TEXTS.save}
          </Button>
        )}
      </Stack>
    </form>
  );
}
