'use client';

import dynamic from 'next/dynamic';

/** A page in draft mode. Browsers load its code only when a page uses it, so visitors to the published site never load it. */
export const LiveContent = dynamic(async () => (await import('./live-view.tsx')).LiveView);
