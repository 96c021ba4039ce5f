import { Button, Loader } from '@mantine/core';
import { EmptyState } from '../../elements/empty-state.tsx';
import { describeError } from '../../forms/describe-error.ts';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import classes from './preview-pane.module.css';

interface WaitingProps {
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
}

/** Shown until a query has returned its data, or if the query failed. */
export function Waiting({ query: { error, refetch } }: WaitingProps) {
  return (
    <div className={classes.message}>
      {error === null ? (
        <Loader size="sm" aria-label={PREVIEW_TEXTS.loading} />
      ) : (
        <EmptyState
          title={PREVIEW_TEXTS.notLoaded}
          text={describeError(error)}
          action={
            <Button variant="default" onClick={() => void refetch()}>
              {PREVIEW_TEXTS.tryAgain}
            </Button>
          }
        />
      )}
    </div>
  );
}
