// Defines which modules may import which other modules. A module is a folder, or a single file that other modules may
// import even if they must not import its folder. Any import that the table does not allow is forbidden, and so is a
// file that belongs to no module.

export interface BoundaryRule {
  /** Modules by name; a module may always import itself. */
  readonly modules: readonly string[];
  /** npm packages and Node's own modules. `any` never includes packages that are reserved for one module. */
  readonly packages: readonly string[] | 'any';
}

/**
 * The folders of the admin panel from the bottom up. Each may import the folders in the layers below it, so there are no cycles. Pages
 * link to each other by path; only `app`, which contains the route table, imports them.
 */
const PANEL_LAYERS: readonly (readonly string[])[] = [
  ['api'],
  ['texts'],
  ['forms', 'keyboard', 'languages', 'theme'],
  ['elements'],
  ['lists', 'session'],
  ['sites'],
  ['assets', 'content'],
  ['authors', 'webhooks'],
  ['editor/fields'],
  ['editor/draft'],
  ['editor/preview'],
  ['editor'],
  ['content-list', 'dashboard', 'keys', 'organisation', 'tabs', 'tokens', 'types'],
  ['users'],
  ['audit', 'shell'],
  ['app'],
];

function panelModule(folder: string): string {
  return `panel/${folder}`;
}

/** The first entry whose path is the file itself, or a folder that contains it, determines the file's module. */
export const MODULE_PATHS: readonly (readonly [path: string, module: string])[] = [
  ['packages/server/src/content/result.ts', 'content/result'],
  ['packages/server/src/content', 'content'],
  ['packages/server/src/listing', 'listing'],
  ['packages/server/src/storage/sqlite/open-sqlite.ts', 'storage/open'],
  ['packages/server/src/storage/sqlite/backup-sqlite.ts', 'storage/open'],
  ['packages/server/src/storage/sqlite', 'storage/sqlite'],
  ['packages/server/src/storage/postgres/open-postgres.ts', 'storage/open'],
  ['packages/server/src/storage/postgres/copy-into-postgres.ts', 'storage/open'],
  ['packages/server/src/storage/postgres', 'storage/postgres'],
  ['packages/server/src/storage/engine.ts', 'storage/contract'],
  ['packages/server/src/storage/statement.ts', 'storage/contract'],
  ['packages/server/src/storage/storage.ts', 'storage/contract'],
  ['packages/server/src/storage/retry.ts', 'storage/contract'],
  ['packages/server/src/storage/fair-turns.ts', 'storage/contract'],
  ['packages/server/src/storage/named-rows.ts', 'storage/contract'],
  ['packages/server/src/storage/work-thread.ts', 'storage/contract'],
  ['packages/server/src/storage/asset-reads.ts', 'storage/contract'],
  ['packages/server/src/storage/delivery-reads.ts', 'storage/reading'],
  ['packages/server/src/storage/views.ts', 'storage/reading'],
  ['packages/server/src/storage/lists', 'storage/reading'],
  ['packages/server/src/storage/contents/select-content.ts', 'storage/reading'],
  ['packages/server/src/storage/contents/select-related.ts', 'storage/reading'],
  ['packages/server/src/storage/changes', 'storage/reading'],
  ['packages/server/src/storage/sites/select-catalog.ts', 'storage/catalog'],
  ['packages/server/src/storage/keys', 'storage/keys'],
  ['packages/server/src/storage/webhooks', 'storage/webhooks'],
  ['packages/server/src/storage/accounts', 'storage/accounts'],
  ['packages/server/src/storage/contents/write-content.ts', 'storage/writing'],
  ['packages/server/src/storage/contents/insert-contents.ts', 'storage/writing'],
  ['packages/server/src/storage/sites/write-site.ts', 'storage/writing'],
  ['packages/server/src/storage/types', 'storage/writing'],
  ['packages/server/src/storage/publication/forget-changes.ts', 'storage/writing'],
  ['packages/server/src/storage/publication/forget-departed-keys.ts', 'storage/writing'],
  ['packages/server/src/storage/publication/rewrite-content.ts', 'storage/writing'],
  ['packages/server/src/storage/publication', 'storage/publication'],
  ['packages/server/src/storage/contents', 'storage/contents'],
  ['packages/server/src/storage/sites', 'storage/sites'],
  ['packages/server/src/storage/inspection.ts', 'storage/inspection'],
  ['packages/server/src/storage/migrations.ts', 'storage/inspection'],
  ['packages/server/src/storage/copied-tables.ts', 'storage/copy'],
  ['packages/server/src/storage', 'storage'],
  ['packages/server/src/bundle/take-bundle-files.ts', 'bundle/files'],
  ['packages/server/src/bundle/take-as-upload.ts', 'bundle/files'],
  ['packages/server/src/bundle', 'bundle'],
  ['packages/server/src/authoring', 'authoring'],
  ['packages/server/src/http', 'http'],
  ['packages/server/src/delivery', 'delivery'],
  ['packages/server/src/management', 'management'],
  ['packages/server/src/images', 'images'],
  ['packages/server/src/asset-delivery', 'asset-delivery'],
  ['packages/server/src/webhooks', 'webhooks'],
  ['packages/server/src/type-generation', 'type-generation'],
  ['packages/server/src/doctor', 'doctor'],
  ['packages/server/src/explorer', 'explorer'],
  ['packages/server/src/admin', 'panel-server'],
  ['packages/server/src/files/assets-url.ts', 'files/assets-url'],
  ['packages/server/src/files', 'files'],
  ['packages/server/src/uploads', 'uploads'],
  ['packages/server/src/program-name.ts', 'program-name'],
  ['packages/server/src/settings', 'settings'],
  ['packages/server/src/settings.ts', 'settings'],
  ['packages/server/src/package-folder.ts', 'package-folder'],
  ['packages/server/src/demo', 'demo'],
  ['packages/server/src/cli', 'composition'],
  ['packages/server/src/large-work', 'composition'],
  ['packages/server/src/app.ts', 'composition'],
  ['packages/server/src/asset-tools.ts', 'composition'],
  ['packages/server/src/index.ts', 'composition'],
  ['packages/server/src/open-storage.ts', 'composition'],
  ['packages/server/src/service-metrics.ts', 'composition'],
  ['packages/server/src/start-service.ts', 'composition'],
  ['packages/wire/src', 'wire'],
  ['packages/client/src', 'client'],
  ['packages/preview/src/remove-marks.ts', 'preview/remove-marks'],
  ['packages/preview/src', 'preview'],
  ['packages/admin/src/main.tsx', panelModule('app')],
  ...PANEL_LAYERS.flat().map((folder) => [`packages/admin/src/${folder}`, panelModule(folder)] as const),
  ['packages/create-galley/src', 'create-galley'],
  ['bench', 'bench'],
  ['scripts/testing', 'testing'],
];

/** The parts of storage that the rest of the server may use, as opposed to those that only storage itself uses. */
const STORAGE_PARTS = [
  // The open database: its interface, its errors, and the type of a procedure.
  'storage/contract',
  // Reads for the delivery API.
  'storage/reading',
  'storage/catalog',
  'storage/keys',
  'storage/webhooks',
  'storage/accounts',
  'storage/contents',
  'storage/sites',
  // Whole operations, which also write the read models and announce their changes where necessary.
  'storage/writing',
  'storage/inspection',
  'storage/copy',
] as const;

/** `storage/publication` advances the generations and decides what is in the read models, so only storage may call it. */
const INSIDE_STORAGE = ['storage', 'storage/publication', ...STORAGE_PARTS] as const;

const STORAGE_PACKAGES = ['kysely', 'lru-cache', 'node:crypto', 'node:zlib', 'node:buffer'] as const;

const STORAGE_RULE: BoundaryRule = {
  modules: [...INSIDE_STORAGE, 'content', 'content/result', 'listing'],
  packages: STORAGE_PACKAGES,
};

const API_MODULES = ['content', 'content/result', 'listing', 'storage/contract', 'http', 'wire'] as const;
/** The parts of storage that management may read. Management writes nothing directly; it leaves that to authoring. */
const MANAGED_PARTS = [
  'storage/catalog',
  'storage/keys',
  'storage/webhooks',
  'storage/accounts',
  'storage/contents',
  'storage/sites',
] as const;

const PANEL_RULES: Readonly<Record<string, BoundaryRule>> = Object.fromEntries(
  PANEL_LAYERS.flatMap((layer, level): [string, BoundaryRule][] => {
    const below = PANEL_LAYERS.slice(0, level).flat().map(panelModule);
    return layer.map((folder) => [
      panelModule(folder),
      { modules: ['wire', 'preview/remove-marks', ...below], packages: 'any' },
    ]);
  }),
);

export const BOUNDARY_RULES: Readonly<Record<string, BoundaryRule>> = {
  wire: { modules: [], packages: [] },
  // Pure: no clock, environment, randomness or network, so it may use only packages that compute values.
  content: {
    modules: ['content/result', 'wire'],
    packages: ['zod', '@vercel/stega', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  'content/result': { modules: [], packages: [] },
  listing: {
    modules: ['content', 'content/result', 'wire'],
    packages: ['qs', 'node:crypto', 'node:zlib', 'node:buffer'],
  },
  storage: STORAGE_RULE,
  'storage/publication': STORAGE_RULE,
  // Both `sqlite` and the modules that compose the service use the threads in this module.
  'storage/contract': { ...STORAGE_RULE, packages: [...STORAGE_PACKAGES, 'node:worker_threads'] },
  'storage/reading': STORAGE_RULE,
  'storage/catalog': STORAGE_RULE,
  'storage/keys': STORAGE_RULE,
  'storage/webhooks': STORAGE_RULE,
  'storage/accounts': STORAGE_RULE,
  'storage/contents': STORAGE_RULE,
  'storage/sites': STORAGE_RULE,
  'storage/writing': STORAGE_RULE,
  'storage/inspection': STORAGE_RULE,
  'storage/copy': STORAGE_RULE,
  'storage/sqlite': {
    modules: [...INSIDE_STORAGE, 'content', 'content/result', 'listing'],
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
    modules: [...INSIDE_STORAGE, 'content', 'content/result', 'listing'],
    packages: ['kysely', 'lru-cache', 'pg'],
  },
  // Opens, copies and inspects whole databases.
  'storage/open': { modules: [...INSIDE_STORAGE, 'storage/sqlite', 'storage/postgres'], packages: ['node:sqlite'] },
  bundle: {
    modules: [
      'content',
      'content/result',
      'storage/contract',
      'storage/catalog',
      'storage/webhooks',
      'storage/accounts',
      'storage/contents',
      'storage/sites',
      'storage/writing',
    ],
    packages: 'any',
  },
  // Adds the files of a bundle to the store. Reading and writing bundles does not depend on this module.
  'bundle/files': {
    modules: ['bundle', 'content/result', 'files', 'files/assets-url', 'images', 'uploads'],
    packages: 'any',
  },
  authoring: {
    modules: ['content', 'content/result', 'images', 'storage/contract', ...MANAGED_PARTS, 'storage/writing'],
    packages: 'any',
  },
  http: { modules: ['storage/contract', 'wire', 'content/result'], packages: 'any' },
  delivery: { modules: [...API_MODULES, 'storage/reading', 'storage/catalog', 'storage/keys'], packages: 'any' },
  management: { modules: [...API_MODULES, ...MANAGED_PARTS, 'authoring', 'files', 'uploads'], packages: 'any' },
  // Independent of content, storage and HTTP, so that its processes load little code.
  images: {
    modules: ['content/result'],
    packages: [
      'sharp',
      'thumbhash',
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:os',
      'node:path',
    ],
  },
  'asset-delivery': {
    modules: ['content/result', 'files', 'images', 'http', 'storage/contract'],
    packages: 'any',
  },
  // Sends webhook calls. It reads the same data as the delivery API, and writes only calls and webhook state.
  webhooks: {
    modules: [
      'content',
      'content/result',
      'listing',
      'storage/contract',
      'storage/reading',
      'storage/webhooks',
      'files',
    ],
    packages: 'any',
  },
  // Pure, like the modules it is built from.
  'type-generation': { modules: ['content', 'content/result', 'wire'], packages: [] },
  'program-name': { modules: [], packages: [] },
  'package-folder': { modules: [], packages: ['node:fs', 'node:module', 'node:path'] },
  doctor: {
    modules: [
      'content/result',
      'storage/contract',
      'storage/inspection',
      'storage/open',
      'storage/sites',
      'files',
      'files/assets-url',
      'settings',
      'program-name',
    ],
    packages: 'any',
  },
  explorer: { modules: ['wire', 'http', 'listing'], packages: 'any' },
  'panel-server': { modules: ['http'], packages: 'any' },
  // Uploaded files: the store, and the analysis of a file's bytes. Independent of HTTP and the database.
  files: { modules: ['content/result', 'files/assets-url'], packages: 'any' },
  'files/assets-url': { modules: ['content/result'], packages: [] },
  // Turns the bytes of an upload into a file in the store. It uses nothing from storage except the threads.
  uploads: { modules: ['content/result', 'files', 'images', 'storage/contract'], packages: 'any' },
  settings: { modules: ['content/result', 'files/assets-url'], packages: 'any' },
  // Fills an empty database with the demo.
  demo: {
    modules: [
      'authoring',
      'bundle',
      'bundle/files',
      'explorer',
      'files/assets-url',
      'package-folder',
      'storage/contract',
      'storage/accounts',
      'storage/catalog',
    ],
    packages: 'any',
  },
  composition: {
    modules: [
      ...API_MODULES,
      ...STORAGE_PARTS,
      'storage/open',
      'bundle',
      'bundle/files',
      'authoring',
      'delivery',
      'management',
      'doctor',
      'demo',
      'package-folder',
      'program-name',
      'explorer',
      'panel-server',
      'images',
      'asset-delivery',
      'webhooks',
      'type-generation',
      'settings',
      'files',
      'files/assets-url',
      'uploads',
    ],
    packages: 'any',
  },
  // The client and the panel access the server only over HTTP.
  client: { modules: ['wire'], packages: [] },
  // Exchanges messages with the panel. The decoder is bundled; React comes from the website.
  preview: { modules: ['preview/remove-marks'], packages: ['@vercel/stega', 'react'] },
  // Shared with the panel, which removes marks from pasted text.
  'preview/remove-marks': { modules: [], packages: [] },
  ...PANEL_RULES,
  // Runs before anything is installed, so it can use only the modules that come with Node.js.
  'create-galley': { modules: [], packages: ['node:fs', 'node:path', 'node:url', 'node:util'] },
  testing: { modules: [], packages: 'any' },
  // The benchmark uses the same real database server as the tests.
  bench: { modules: ['server', 'client', 'wire', 'testing'], packages: 'any' },
};

/** Packages that only the modules listed here may import, even where a rule says `any`. */
export const OWNED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  kysely: [...INSIDE_STORAGE, 'storage/sqlite', 'storage/postgres'],
  'node:sqlite': ['storage/sqlite', 'storage/open'],
  // The PostgreSQL benchmark compares Galley with a bare `select`.
  pg: ['storage/postgres', 'testing', 'bench'],
  '@aws-sdk/client-s3': ['files'],
  'file-type': ['files'],
  // The benchmark compares the image API with bare sharp.
  sharp: ['images', 'bench'],
  thumbhash: ['images', 'panel/assets'],
};

/** The pages of the panel. Other modules link to them by path. */
export const PANEL_PAGE = { path: /^packages\/admin\/src\/.*-page\.tsx$/, importer: panelModule('app') } as const;

/** Workspaces by the name under which they are imported. Those that contain only types must be imported with `import type`. */
export const WORKSPACE_MODULES: Readonly<Record<string, { readonly module: string; readonly isTypesOnly: boolean }>> = {
  '@galley/wire': { module: 'wire', isTypesOnly: true },
  '@galley/client': { module: 'client', isTypesOnly: false },
  '@galley/server': { module: 'server', isTypesOnly: false },
};

/** `importer -> imported`. This list may only shrink: an entry that is no longer needed is also an error. */
export const EXCEPTIONS: readonly string[] = [];
