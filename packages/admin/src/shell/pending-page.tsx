import { Center, Loader } from '@mantine/core';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

export function PendingPage() {
  return (
    <Center mih="40vh" role="status" aria-label={SHELL_TEXTS.loading}>
      <Loader type="dots" />
    </Center>
  );
}
