// Who may import whom. A module is a folder, or a file that others may import where they may not import its folder.
// What the table does not allow is forbidden, and so is a file that belongs to no module.

export interface BoundaryRule {
  /** Modules by name; a module may always import itself. */
  readonly modules: readonly string[];
  /** npm packages and Node's own modules; `any` never includes the packages that belong to one module alone. */
  readonly packages: readonly string[] | 'any';
}

/** The first entry whose path is the file, or the folder that it lies in, names the file's module. */
export const MODULE_PATHS: readonly (readonly [path: string, module: string])[] = [
  ['packages/server/src/content/result.ts', 'content/result'],
  ['packages/server/src/content', 'content'],
  ['packages/server/src/listing', 'listing'],
  ['packages/server/src/storage/port.ts', 'storage/port'],
  ['packages/server/src/storage/sqlite/open-sqlite.ts', 'storage/open'],
  ['packages/server/src/storage/sqlite/backup-sqlite.ts', 'storage/open'],
  ['packages/server/src/storage/sqlite', 'storage/sqlite'],
  ['packages/server/src/storage/postgres/open-postgres.ts', 'storage/open'],
  ['packages/server/src/storage/postgres/copy-into-postgres.ts', 'storage/open'],
  ['packages/server/src/storage/postgres', 'storage/postgres'],
  ['packages/server/src/storage', 'storage'],
  ['packages/server/src/bundle', 'bundle'],
  ['packages/server/src/authoring', 'authoring'],
  ['packages/server/src/http', 'http'],
  ['packages/server/src/delivery', 'delivery'],
  ['packages/server/src/management', 'management'],
  ['packages/server/src/type-generation', 'type-generation'],
  ['packages/server/src/doctor', 'doctor'],
  ['packages/server/src/explorer', 'explorer'],
  ['packages/server/src/admin', 'panel-server'],
  ['packages/server/src/program-name.ts', 'program-name'],
  ['packages/server/src/settings', 'settings'],
  ['packages/server/src/settings.ts', 'settings'],
  ['packages/server/src/demo', 'composition'],
  ['packages/server/src/cli', 'composition'],
  ['packages/server/src/large-work', 'composition'],
  ['packages/server/src/app.ts', 'composition'],
  ['packages/server/src/index.ts', 'composition'],
  ['packages/server/src/open-storage.ts', 'composition'],
  ['packages/server/src/package-folder.ts', 'composition'],
  ['packages/server/src/service-metrics.ts', 'composition'],
  ['packages/server/src/start-service.ts', 'composition'],
  ['packages/wire/src', 'wire'],
  ['packages/client/src', 'client'],
  ['packages/admin/src', 'admin'],
  ['packages/create-galley/src', 'create-galley'],
  ['bench', 'bench'],
  ['scripts/testing', 'testing'],
];

const API_MODULES = ['content', 'content/result', 'listing', 'storage/port', 'http', 'wire'] as const;

export const BOUNDARY_RULES: Readonly<Record<string, BoundaryRule>> = {
  wire: { modules: [], packages: [] },
  // Pure: no clock, environment, randomness or network, so only packages that compute.
  content: { modules: ['content/result', 'wire'], packages: ['zod', 'node:crypto', 'node:zlib', 'node:buffer'] },
  'content/result': { modules: [], packages: [] },
  listing: {
    modules: ['content', 'content/result', 'wire'],
    packages: ['qs', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  storage: {
    modules: ['content', 'content/result', 'listing'],
    packages: ['kysely', 'lru-cache', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  'storage/port': { modules: ['storage'], packages: [] },
  'storage/sqlite': {
    modules: ['storage', 'content', 'content/result', 'listing'],
    packages: [
      'kysely',
      'lru-cache',
      'node:sqlite',
      'node:module',
      'node:fs',
      'node:os',
      'node:path',
      'node:timers',
      'node:worker_threads',
    ],
  },
  'storage/postgres': {
    modules: ['storage', 'content', 'content/result', 'listing'],
    packages: ['kysely', 'lru-cache', 'pg'],
  },
  // Opens, copies and looks at whole databases.
  'storage/open': { modules: ['storage', 'storage/sqlite', 'storage/postgres'], packages: ['node:sqlite'] },
  bundle: { modules: ['content', 'content/result', 'storage/port'], packages: 'any' },
  authoring: { modules: ['content', 'content/result', 'storage/port'], packages: 'any' },
  http: { modules: ['storage/port', 'wire', 'content/result'], packages: 'any' },
  delivery: { modules: API_MODULES, packages: 'any' },
  management: { modules: [...API_MODULES, 'authoring'], packages: 'any' },
  // Pure, like what it is made from.
  'type-generation': { modules: ['content', 'content/result', 'wire'], packages: [] },
  'program-name': { modules: [], packages: [] },
  doctor: {
    modules: ['content/result', 'storage/port', 'storage/open', 'settings', 'program-name'],
    packages: 'any',
  },
  explorer: { modules: ['wire', 'http', 'listing'], packages: 'any' },
  'panel-server': { modules: ['http'], packages: 'any' },
  settings: { modules: ['content/result'], packages: 'any' },
  composition: {
    modules: [
      ...API_MODULES,
      'storage/open',
      'bundle',
      'authoring',
      'delivery',
      'management',
      'doctor',
      'program-name',
      'explorer',
      'panel-server',
      'type-generation',
      'settings',
    ],
    packages: 'any',
  },
  // These reach the server over HTTP alone.
  client: { modules: ['wire'], packages: [] },
  admin: { modules: ['wire'], packages: 'any' },
  // Runs before anything is installed, so it has what Node.js brings and nothing else.
  'create-galley': { modules: [], packages: ['node:fs', 'node:path', 'node:url', 'node:util'] },
  testing: { modules: [], packages: 'any' },
  // A real database server to measure with is the one that the tests have.
  bench: { modules: ['server', 'client', 'wire', 'testing'], packages: 'any' },
};

/** Packages that only the modules named here may import, even where a rule says `any`. */
export const OWNED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  kysely: ['storage', 'storage/sqlite', 'storage/postgres'],
  'node:sqlite': ['storage/sqlite', 'storage/open'],
  // The yardstick of the benchmark on PostgreSQL is a bare `select`.
  pg: ['storage/postgres', 'testing', 'bench'],
};

/** Workspaces by the name that they are imported by. Those with types alone must be imported with `import type`. */
export const WORKSPACE_MODULES: Readonly<Record<string, { readonly module: string; readonly isTypesOnly: boolean }>> = {
  '@galley/wire': { module: 'wire', isTypesOnly: true },
  '@galley/client': { module: 'client', isTypesOnly: false },
  '@galley/server': { module: 'server', isTypesOnly: false },
};

/** `importer -> imported`. This list may only shrink: an entry that nothing needs any more is an error too. */
export const EXCEPTIONS: readonly string[] = [];
