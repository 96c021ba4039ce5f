import type { Metadata } from 'next';
import { draftMode } from 'next/headers';
import type { ReactNode } from 'react';
import '../styles.css';

export const metadata: Metadata = { title: 'Deckle' };

export default async function Layout({ children }: { children: ReactNode }) {
  const { isEnabled } = await draftMode();
  return (
    <html lang="en">
      <body>
        {isEnabled && (
          <p className="draft">
            Draft mode is on. <a href="/api/draft/leave">Leave draft mode</a>
          </p>
        )}
        <header className="masthead">
          <a href="/">{'Deckle'}</a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}
