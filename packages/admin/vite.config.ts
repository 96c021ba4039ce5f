// Builds the panel into the server package, where the service finds it both in a clone and in the published package.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFiles } from './scripts/compress-files.ts';

const FOLDER = join(import.meta.dirname, '../server/panel');
/** The service started by `npm run dev`, for the panel started by `npm run dev:panel`. */
const SERVICE = process.env.GALLEY_DEV_SERVICE ?? 'http://127.0.0.1:3000';

export default defineConfig(({ command }) => {
  // Vite keeps a NODE_ENV that is already set. With React's development version, a preview takes twice as long to show each keystroke.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: import.meta.dirname,
    base: '/admin/',
    // The service replaces this with a new nonce in each page that it sends.
    html: { cspNonce: '__NONCE__' },
    plugins: [react(), compressBuild()],
    build: {
      outDir: FOLDER,
      emptyOutDir: true,
      // Each asset gets its own file, because the content security policy allows data: URLs only for pictures.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000,
      // Everything that the first page needs is in one file. Without this, there are 70 small files, and loading them takes 0.4 seconds.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } } },
    },
    server: { proxy: { '/manage': SERVICE, '/api': SERVICE, '/assets': SERVICE } },
  };
});

function compressBuild(): Plugin {
  return { name: 'compress-build', apply: 'build', closeBundle: () => compressFiles(FOLDER) };
}
