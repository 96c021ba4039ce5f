import { join } from 'node:path';
import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // Packages are installed in the parent folder.
  turbopack: { root: join(import.meta.dirname, '..') },
};

export default config;
