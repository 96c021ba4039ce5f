import type { UserBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { SaveButton } from '../forms/form-buttons.tsx';
import { FormFrame } from '../forms/form-frame.tsx';
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
  const form = useApiForm({
    initial: { password: '' },
    submit: (body) => readAnswer(api.PATCH('/manage/v1/users/{user}', { params: { path: { user: user.id } }, body })),
    onDone: async (changed: UserBody, { password }) => {
      onDone(password);
      await keepUser(queryClient, changed);
    },
  });
  const { values, set, errorOf } = form;
  return (
    <FormFrame form={form} autoComplete="off">
      <PasswordField
        label={USER_TEXTS.newPassword}
        value={values.password}
        onChange={(password) => set('password', password)}
        error={errorOf('password')}
      />
      <SaveButton form={form} label={USER_TEXTS.reset} isMinor />
    </FormFrame>
  );
}
