// Short messages in the bottom right corner of the screen, above the bar that some pages keep there. Every toast is shown
// from here, so all of them look alike and none covers a button.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import classes from './show-toast.module.css';

interface Toast {
  readonly text: string;
  readonly isError?: boolean;
  /** One thing to do about it, such as *Undo*. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 4_000;
/** Longer where somebody has to understand what went wrong, or to decide. */
const SHOWN_LONG_MS = 10_000;

export function showToast({ text, isError = false, action }: Toast): void {
  const id = notifications.show({
    message:
      action === undefined ? (
        text
      ) : (
        <span className={classes.line}>
          <span className={classes.text}>{text}</span>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        </span>
      ),
    autoClose: isError || action !== undefined ? SHOWN_LONG_MS : SHOWN_MS,
    ...(isError ? { color: 'red' } : {}),
  });
}
