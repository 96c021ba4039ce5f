import type { UserBody } from '@galley/wire';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { USER_TEXTS } from '../texts/user-texts.ts';
import { countTokensOf, tokensQuery } from '../tokens/token-queries.ts';
import { keepUser } from './keep-user.ts';

export function UserAccess({ user }: { readonly user: UserBody }) {
  const queryClient = useQueryClient();
  const { data: tokens } = useSuspenseQuery(tokensQuery);
  const stopped = countTokensOf(tokens, user.id);
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
        text={stopped === 0 ? USER_TEXTS.suspendText : `${USER_TEXTS.suspendText} ${USER_TEXTS.stoppedTokens(stopped)}`}
        confirmLabel={USER_TEXTS.suspend}
        onConfirm={() => change(true)}
        onClose={close}
      />
    </Card>
  );
}
