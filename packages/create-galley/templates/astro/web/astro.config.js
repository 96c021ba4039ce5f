import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  // Pages are made when they are asked for: what editors publish shows at once, and a build needs no content.
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  server: { port: 4000 },
});
