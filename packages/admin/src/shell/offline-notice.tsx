import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" mb="md">
          {SHELL_TEXTS.offline}
        </Alert>
      )}
    </div>
  );
}
