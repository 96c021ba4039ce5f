// The build of the panel, into the server's package: the service finds it there, in a clone as in what is published.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFiles } from './scripts/compress-files.ts';

const FOLDER = join(import.meta.dirname, '../server/panel');
/** The service of `npm run dev`, for the panel of `npm run dev:panel`. */
const SERVICE = process.env.GALLEY_DEV_SERVICE ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  // The service puts a nonce of its own into each page it sends.
  html: { cspNonce: '__NONCE__' },
  plugins: [react(), compressBuild()],
  build: {
    outDir: FOLDER,
    emptyOutDir: true,
    // A file of its own for each asset: the page's policy allows no data: but for pictures.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/manage': SERVICE, '/api': SERVICE } },
});

function compressBuild(): Plugin {
  return { name: 'compress-build', apply: 'build', closeBundle: () => compressFiles(FOLDER) };
}
