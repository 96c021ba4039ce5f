// Loads the code for a part of a page when that part is first shown. If it cannot be loaded, the rest of the page still works.

import { Button, Stack, Text } from '@mantine/core';
import { type ComponentType, lazy } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => MissingPart) }));
}

function MissingPart() {
  return (
    <Stack gap="xs" align="start" p="sm">
      <Text size="sm">{SHELL_TEXTS.missingPart}</Text>
      <Button size="xs" variant="default" onClick={() => window.location.reload()}>
        {SHELL_TEXTS.reload}
      </Button>
    </Stack>
  );
}
