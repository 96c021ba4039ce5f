import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from '../api/query-client.ts';
import { guardDrops } from '../assets/uploads/dropped-files.ts';
import { dropOldDrafts } from '../editor/draft/kept-drafts.ts';
import { cleanPastes } from '../forms/clean-pastes.ts';
import { loseSession } from '../session/session-query.ts';
import { readStyleNonce } from '../theme/style-nonce.ts';
import { colorSchemeManager, resolveVariables, theme } from '../theme/theme.ts';
import { createPanelRouter } from './router.ts';

const queryClient = createQueryClient(() => {
  loseSession(queryClient);
  // The current route's guard redirects to the sign-in page. After sign-in, people return to this route.
  void router.invalidate();
});
const router = createPanelRouter(queryClient);
focusOnNavigation(router);
guardDrops(window);
cleanPastes(window);
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

/**
 * Announces a new page as a browser would: moves the focus to its heading, unless the page has already focused an input, or will focus the
 * input that its URL names.
 */
function focusOnNavigation(panelRouter: AnyRouter): void {
  let isFirst = true;
  panelRouter.subscribe('onRendered', ({ pathChanged, toLocation }) => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    if (!pathChanged || toLocation.hash !== '') return;
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) return;
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  });
}
