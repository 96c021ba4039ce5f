'use client';

import dynamic from 'next/dynamic';

/** Shows a page in draft mode. Browsers load this component only for such pages, so visitors to the published site never load it. */
export const LiveContent = dynamic(async () => (await import('./live-view.tsx')).LiveView);
