// Loads the code of a page, or of a part of one, when somebody opens it. Browsers remember a file that failed to load until the
// page is reloaded, so after a lost connection, or after an update that replaced the file, only a reload helps.

import { Button, Stack, Text } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import { ConnectionError, PageNotLoaded } from '../api/api-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** A page that fails to load ends on the failure page, which says whether to try again or reloads the panel. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => load().catch(explainFailure), name);
}

/** Behind a proxy, a service that is down is answered for: only a page of the panel itself shows that it is there. */
async function explainFailure(cause: unknown): Promise<never> {
  const isServed = await fetch('/admin/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isServed ? new PageNotLoaded(cause) : new ConnectionError(cause);
}

/** If a part cannot be loaded, the page around it stays in use. */
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
