// The same site as static files. build-static.js rebuilds it whenever something is published.

import { defineConfig } from 'astro/config';

export default defineConfig({ output: 'static', srcDir: './static', outDir: './dist-static' });
