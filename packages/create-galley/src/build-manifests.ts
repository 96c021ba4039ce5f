// The package.json files of a project, with its dependencies and scripts.

import type { Template } from './parse-arguments.ts';

/** Where the Galley packages are installed from. */
export interface Sources {
  readonly version: string;
  /** The project's tarball folder; undefined to install from npm. */
  readonly vendor: string | undefined;
}

const SCOPE = '@galley/';

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

/** @param manifest the front end's own package.json */
export function completeFrontEndManifest(manifest: string, name: string, sources: Sources): object {
  const { dependencies, ...others } = JSON.parse(manifest);
  const located = Object.keys(dependencies)
    .filter((dependency) => dependency.startsWith(SCOPE))
    .map((dependency) => [dependency, locate(dependency.slice(SCOPE.length), sources, '../')]);
  return { ...others, name: `${name}-web`, dependencies: { ...dependencies, ...Object.fromEntries(located) } };
}

function locate(name: string, { version, vendor }: Sources, up: string): string {
  return vendor === undefined ? `^${version}` : `file:${up}${vendor}/galley-${name}-${version}.tgz`;
}
