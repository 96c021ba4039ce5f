import type { UserBody } from '@galley/wire';
import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { keepUser } from './keep-user.ts';
import { PasswordField } from './password-field.tsx';

interface ResetPasswordProps {
  readonly user: UserBody;
  readonly onDone: (password: string) => void;
}

export function ResetPassword({ user, onDone }: ResetPasswordProps) {
  const queryClient = useQueryClient();
  const { form, values, set, errorOf, message, isPending, isChanged } = useApiForm({
    initial: { password: '' },
    submit: (body) => readAnswer(api.PATCH('/manage/v1/users/{user}', { params: { path: { user: user.id } }, body })),
    onDone: async (changed: UserBody, { password }) => {
      onDone(password);
      await keepUser(queryClient, changed);
    },
  });
  return (
    <form {...form} autoComplete="off">
      <Stack gap="md">
        <FormMessage message={message} />
        <PasswordField
          label={USER_TEXTS.newPassword}
          value={values.password}
          onChange={(password) => set('password', password)}
          error={errorOf('password')}
        />
        <div>
          <Button type="submit" variant="default" loading={isPending} disabled={!isChanged}>
            {USER_TEXTS.reset}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
