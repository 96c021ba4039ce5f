// The package.json files of a project, with its dependencies and scripts.

import type { Template } from './parse-arguments.ts';

/** Where the Galley packages are installed from. */
export interface Sources {
  readonly version: string;
  /** The project's tarball folder; undefined to install from npm. */
  readonly vendor: string | undefined;
}

type FrontEnd = Exclude<Template, 'none'>;

const WEB_PORT = 4000;
const FRONT_ENDS: Readonly<Record<FrontEnd, object>> = {
  next: {
    scripts: {
      dev: `next dev --port ${WEB_PORT}`,
      build: 'next build',
      start: `next start --port ${WEB_PORT}`,
    },
    dependencies: {
      'markdown-it': '^15.0.3',
      next: '^16.4.6',
      react: '^19.3.1',
      'react-dom': '^19.3.1',
      standardwebhooks: '^1.1.1',
    },
    devDependencies: {
      '@types/markdown-it': '^14.2.0',
      '@types/node': '^24.19.2',
      '@types/react': '^19.3.0',
      typescript: '^5.9.3',
    },
  },
  astro: {
    scripts: {
      dev: 'astro dev',
      check: 'astro check',
      build: 'astro build',
      start: 'node --env-file-if-exists=.env.local dist/server/entry.mjs',
      static: 'node --env-file-if-exists=.env.local build-static.js',
    },
    dependencies: {
      '@astrojs/node': '^11.1.6',
      astro: '^7.3.5',
      'markdown-it': '^15.0.3',
      standardwebhooks: '^1.1.1',
    },
    devDependencies: {
      '@astrojs/check': '^0.9.10',
      '@types/markdown-it': '^14.2.0',
      '@types/node': '^24.19.2',
      typescript: '^5.9.3',
    },
  },
};

export interface ProjectManifestRequest {
  readonly name: string;
  readonly template: Template;
  readonly sources: Sources;
  readonly bringsNode: boolean;
}

export function buildProjectManifest({ name, template, sources, bringsNode }: ProjectManifestRequest): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    ...(template === 'none' ? {} : { workspaces: ['web'] }),
    scripts:
      template === 'none'
        ? { start: 'galley serve' }
        : {
            start: 'node start.js',
            galley: 'galley serve',
            web: 'npm run dev --workspace web',
            build: 'npm run build --workspace web',
          },
    dependencies: { '@galley/server': locate('server', sources, '') },
    ...(bringsNode ? { devDependencies: { node: '^24.0.0' } } : {}),
    // The packages that npm allows to run install scripts.
    allowScripts: {
      '@scarf/scarf': false,
      ...(template === 'astro' ? { esbuild: true } : {}),
      ...(bringsNode ? { node: true } : {}),
    },
  };
}

export function buildFrontEndManifest({
  name,
  template,
  sources,
}: {
  readonly name: string;
  readonly template: FrontEnd;
  readonly sources: Sources;
}): object {
  const { dependencies, ...others } = { dependencies: {}, ...FRONT_ENDS[template] };
  return {
    name: `${name}-web`,
    version: '0.1.0',
    private: true,
    type: 'module',
    ...others,
    dependencies: { '@galley/client': locate('client', sources, '../'), ...dependencies },
  };
}

function locate(name: string, { version, vendor }: Sources, up: string): string {
  return vendor === undefined ? `^${version}` : `file:${up}${vendor}/galley-${name}-${version}.tgz`;
}
