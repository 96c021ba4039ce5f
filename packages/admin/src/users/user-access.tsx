// A user's access: setting a password, and suspending or reactivating the user.

import type { UserBody } from '@galley/wire';
import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormFrame, FormMessage, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { countTokensOf, tokensQuery } from '../tokens/token-queries.ts';
import { PasswordField } from './password-field.tsx';
import { keepUser } from './user-queries.ts';

export function UserState({ user }: { readonly user: UserBody }) {
  return (
    <Badge variant="light" size="sm" color={user.is_suspended ? 'red' : 'pine'}>
      {user.is_suspended ? USER_TEXTS.states.suspended : USER_TEXTS.states.active}
    </Badge>
  );
}

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
        error={errorOf('password', USER_TEXTS.newPassword)}
      />
      <SaveButton form={form} label={USER_TEXTS.reset} isMinor />
    </FormFrame>
  );
}

/** Advice on what to do when somebody loses their access; empty if there is nothing to do. Every user can open previews of all sites. */
export function useSecretAdvice(): readonly string[] {
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const names = sites.flatMap(({ name, has_preview: hasPreview }) => (hasPreview ? name : []));
  return names.length === 0 ? [] : [USER_TEXTS.knownSecrets(names)];
}

export function UserAccess({ user }: { readonly user: UserBody }) {
  const queryClient = useQueryClient();
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const stopped = countTokensOf(tokens, user.id);
  const secretAdvice = useSecretAdvice();
  const warnings = [
    USER_TEXTS.suspendText,
    ...(stopped === 0 ? [] : [USER_TEXTS.stoppedTokens(stopped)]),
    ...secretAdvice,
  ];
  const [isOpen, { open, close }] = useDisclosure(false);
  const change = async (isSuspended: boolean): Promise<void> => {
    const changed: UserBody = await readAnswer(
      api.PATCH('/manage/v1/users/{user}', {
        params: { path: { user: user.id } },
        body: { is_suspended: isSuspended },
      }),
    );
    await keepUser(queryClient, changed);
    showToast({ text: (isSuspended ? USER_TEXTS.suspended : USER_TEXTS.reinstated)(user.name) });
  };
  const reinstate = useMutation({ mutationFn: () => change(false) });
  return (
    <Card title={USER_TEXTS.accessTitle} intro={user.is_suspended ? USER_TEXTS.suspendedIntro : USER_TEXTS.activeIntro}>
      <FormMessage message={reinstate.error === null ? undefined : describeError(reinstate.error)} />
      <div>
        {user.is_suspended ? (
          <Button variant="default" loading={reinstate.isPending} onClick={() => reinstate.mutate()}>
            {USER_TEXTS.reinstate}
          </Button>
        ) : (
          <Button variant="light" color="red" onClick={open}>
            {USER_TEXTS.suspend}
          </Button>
        )}
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title={USER_TEXTS.suspendTitle(user.name)}
        text={warnings.join(' ')}
        confirmLabel={USER_TEXTS.suspend}
        onConfirm={() => change(true)}
        onClose={close}
      />
    </Card>
  );
}
