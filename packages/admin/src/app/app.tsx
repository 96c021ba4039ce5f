import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from '../api/query-client.ts';
import { dropOldDrafts } from '../editor/draft/kept-drafts.ts';
import { loseSession } from '../session/session-query.ts';
import { readStyleNonce } from '../theme/style-nonce.ts';
import { colorSchemeManager, resolveVariables, theme } from '../theme/theme.ts';
import { focusOnNavigation } from './focus-on-navigation.ts';
import { createPanelRouter } from './router.ts';

const queryClient = createQueryClient(() => {
  loseSession(queryClient);
  // The guard of the route that is open leads to the sign-in, and back from there.
  void router.invalidate();
});
const router = createPanelRouter(queryClient);
focusOnNavigation(router);
dropOldDrafts(window.localStorage, Date.now());

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={readStyleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" layout="stacked" containerWidth={380} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
