import { Alert } from '@mantine/core';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';

interface PasteNoticeProps {
  readonly text: string | undefined;
  readonly onClose: () => void;
}

/** Says which parts of the last paste are missing. */
export function PasteNotice({ text, onClose }: PasteNoticeProps) {
  if (text === undefined) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      mt="xs"
      py="xs"
      withCloseButton
      closeButtonLabel={SHELL_TEXTS.close}
      onClose={onClose}
    >
      {text}
    </Alert>
  );
}
