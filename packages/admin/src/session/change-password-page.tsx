import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { keepSession } from './session-query.ts';

export function ChangePasswordPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial: { current_password: '', new_password: '' },
    submit: (body) => readAnswer(api.PUT('/manage/v1/session/password', { body })),
    onDone: (session) => {
      keepSession(queryClient, session);
      notifications.show({ message: SESSION_TEXTS.passwordChanged });
      return navigate({ to: '/' });
    },
  });
  return (
    <Page title={SESSION_TEXTS.changePasswordTitle} intro={SESSION_TEXTS.changePasswordText} isNarrow>
      <Card>
        <form {...form}>
          <Stack gap="md" align="flex-start">
            <FormMessage message={message} />
            <PasswordInput
              w="100%"
              maw={360}
              label={SESSION_TEXTS.currentPassword}
              autoComplete="current-password"
              value={values.current_password}
              onChange={(event) => set('current_password', event.currentTarget.value)}
              error={errorOf('current_password')}
            />
            <PasswordInput
              w="100%"
              maw={360}
              label={SESSION_TEXTS.newPassword}
              description={SESSION_TEXTS.newPasswordHelp}
              autoComplete="new-password"
              value={values.new_password}
              onChange={(event) => set('new_password', event.currentTarget.value)}
              error={errorOf('new_password')}
            />
            <Button type="submit" loading={isPending}>
              {SESSION_TEXTS.changePassword}
            </Button>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}
