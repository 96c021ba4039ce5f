import type { Metadata } from 'next';
import { draftMode } from 'next/headers';
import type { ReactNode } from 'react';
import '../styles.css';

export const metadata: Metadata = { title: '{{name}}' };

// Pages are rendered on request, so published changes appear immediately and a build does not need any content.
export const dynamic = 'force-dynamic';

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
          <a href="/">{'{{name}}'}</a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}
