import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  // Pages are rendered on request, so published changes appear immediately and a build does not need any content.
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  server: { port: 4000 },
});
