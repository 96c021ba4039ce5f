// Loads the code for a page when somebody opens the page. If a file fails to load, browsers do not request it again until the page is
// reloaded. So after a lost connection, or an update that replaced the file, only a reload will help.

import { lazyRouteComponent } from '@tanstack/react-router';
import { ConnectionError, PageNotLoaded } from '../api/api-error.ts';

/** If the code cannot be loaded, the error page either offers to try again or reloads the panel. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => load().catch(explainFailure), name);
}

/**
 * A proxy may respond on behalf of a service that is down, so only a successful response for the panel's own page proves that the service
 * is up.
 */
async function explainFailure(cause: unknown): Promise<never> {
  const isServed = await fetch('/admin/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isServed ? new PageNotLoaded(cause) : new ConnectionError(cause);
}
