'use client';

import dynamic from 'next/dynamic';

/** A page in draft mode. Browsers load its code only when a page shows it, so visitors of the published site never do. */
export const LiveContent = dynamic(async () => (await import('./live-view.tsx')).LiveView);
