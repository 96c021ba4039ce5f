import { PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormButtons, FormFrame } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { SESSION_TEXTS } from '../texts/session-texts.ts';
import { keepSession } from './session-query.ts';

export function ChangePasswordPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    initial: { current_password: '', new_password: '' },
    submit: (body) => readAnswer(api.PUT('/manage/v1/session/password', { body })),
    onDone: (session) => {
      keepSession(queryClient, session);
      showToast({ text: SESSION_TEXTS.passwordChanged });
      return navigate({ to: '/' });
    },
  });
  const { textOf } = form;
  return (
    <Page title={SESSION_TEXTS.changePasswordTitle} intro={SESSION_TEXTS.changePasswordText} isNarrow>
      <Card>
        <FormFrame form={form}>
          <PasswordInput
            maw={360}
            autoComplete="current-password"
            {...textOf('current_password', SESSION_TEXTS.currentPassword)}
          />
          <PasswordInput
            maw={360}
            description={SESSION_TEXTS.newPasswordHelp}
            autoComplete="new-password"
            {...textOf('new_password', SESSION_TEXTS.newPassword)}
          />
          <FormButtons form={form} label={SESSION_TEXTS.changePassword} />
        </FormFrame>
      </Card>
    </Page>
  );
}
