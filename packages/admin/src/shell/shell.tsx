// The frame around every page that requires sign-in: the sidebar, which a button opens on narrow screens, and the page beside it.

import { Alert, AppShell, Burger } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { UploadHost } from '../assets/uploads/upload-host.tsx';
import { Wordmark } from '../elements/wordmark.tsx';
import { ShortcutHelp } from '../keyboard/shortcut-help.tsx';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

const CONTENT_ID = 'content';

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const router = useRouter();
  // Closes the sidebar on every navigation, including the browser's back button.
  useEffect(() => router.subscribe('onResolved', close), [router, close]);
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <a className={classes.skip} href={`#${CONTENT_ID}`}>
        {SHELL_TEXTS.skipToContent}
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Burger
          size="sm"
          opened={isOpen}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-label={isOpen ? SHELL_TEXTS.closeNavigation : SHELL_TEXTS.openNavigation}
        />
        <Wordmark />
      </AppShell.Header>
      <AppShell.Navbar className={classes.rail}>
        <div className={classes.brand}>
          <Wordmark />
        </div>
        <Sidebar onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT_ID} tabIndex={-1} className={classes.main}>
        <OfflineNotice />
        <Outlet />
      </AppShell.Main>
      <UploadHost />
      <ShortcutHelp />
    </AppShell>
  );
}

function OfflineNotice() {
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
