import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import '@fontsource-variable/fraunces/opsz.css';
import '@fontsource-variable/newsreader/wght-italic.css';
import '@fontsource-variable/newsreader/wght.css';
import { SITE_NAME } from '../lib/site.ts';
import '../styles.css';

export const metadata: Metadata = {
  title: { default: SITE_NAME, template: `%s · ${SITE_NAME}` },
  alternates: { types: { 'application/rss+xml': '/rss.xml' } },
};

export default function Layout({ children }: { readonly children: ReactNode }) {
  // Each page sets its own language on the element inside `body`.
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
