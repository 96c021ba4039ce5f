// Short messages in the bottom right corner, above the bar that some pages have there. All toasts use this function, so they look
// the same and none of them covers a button.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import classes from './show-toast.module.css';

interface Toast {
  readonly text: string;
  readonly isError?: boolean;
  /** An action, such as *Undo*, or a link that opens in a new tab. */
  readonly action?: { readonly label: string } & ({ readonly run: () => void } | { readonly href: string });
}

const SHOWN_MS = 4_000;
/** Used when people have to read an error or make a decision. */
const SHOWN_LONG_MS = 10_000;

export function showToast({ text, isError = false, action }: Toast): void {
  const id = notifications.show({
    message:
      action === undefined ? (
        text
      ) : (
        <span className={classes.line}>
          <span className={classes.text}>{text}</span>
          {'href' in action ? (
            <Button component="a" href={action.href} target="_blank" rel="noreferrer" size="compact-sm" variant="light">
              {action.label}
            </Button>
          ) : (
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
          )}
        </span>
      ),
    autoClose: isError || action !== undefined ? SHOWN_LONG_MS : SHOWN_MS,
    ...(isError ? { color: 'red' } : {}),
  });
}
