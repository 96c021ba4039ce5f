// Shown instead of a page while it is loading, if it does not exist, or if it has failed.

import { Button, Center, Loader } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, ConnectionError, isNotFound, PageNotLoaded } from '../api/api-error.ts';
import { LinkButton } from '../elements/link-button.tsx';
import { Page } from '../elements/page.tsx';
import { describeError } from '../forms/describe-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

export function PendingPage() {
  return (
    <Center mih="40vh" role="status" aria-label={SHELL_TEXTS.loading}>
      <Loader type="dots" />
    </Center>
  );
}

export function NotFoundPage() {
  return (
    <Page title={SHELL_TEXTS.notFoundTitle} intro={SHELL_TEXTS.notFoundText}>
      <div>
        <LinkButton to="/">{SHELL_TEXTS.toStart}</LinkButton>
      </div>
    </Page>
  );
}

export function FailurePage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  useEffect(() => {
    if (error instanceof PageNotLoaded) reloadOnce();
  }, [error]);
  if (isNotFound(error)) return <NotFoundPage />;
  const { title, text } = describeFailure(error);
  const tryAgain = (): void => {
    if (error instanceof PageNotLoaded) {
      window.location.reload();
      return;
    }
    resetQueries();
    reset();
    void router.invalidate();
  };
  return (
    <Page title={title} intro={text}>
      <div>
        <Button onClick={tryAgain}>{SHELL_TEXTS.tryAgain}</Button>
      </div>
    </Page>
  );
}

const RELOADED_AT = 'galley-reloaded-at';
/** Without this minimum, a page that fails again right after a reload would reload forever. */
const LEAST_BETWEEN_RELOADS_MS = 10_000;

function reloadOnce(): void {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED_AT)) < LEAST_BETWEEN_RELOADS_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(now));
  window.location.reload();
}

function describeFailure(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ConnectionError) {
    return { title: SHELL_TEXTS.unreachableTitle, text: SHELL_TEXTS.unreachableText };
  }
  const text = error instanceof ApiError ? describeError(error) : SHELL_TEXTS.failedText;
  return { title: SHELL_TEXTS.failedTitle, text };
}
