import { join } from 'node:path';
import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // Next.js keeps expired tags only in memory. After a restart, outdated content that was cached on disk would look current again.
  experimental: { isrFlushToDisk: false },
  // In development, Next.js prints the URL of every request. The draft route's URL contains the preview secret or a share link's token.
  logging: { incomingRequests: { ignore: [/[?&]secret=/] } },
  // Packages are installed in the parent folder.
  turbopack: { root: join(import.meta.dirname, '..') },
};

export default config;
