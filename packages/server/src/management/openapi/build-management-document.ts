// The OpenAPI document for the management API, generated from its table of routes. The explorer displays it, and tests check every
// response against it.

import { findState, findTarget } from '../precondition.ts';
import { MANAGEMENT_ROOT, type Route, takesIdempotencyKey } from '../route.ts';
import type { ResumableRoute } from '../routes/resumable-upload-routes.ts';
import type {
  JsonSchema,
  ManagementDocument,
  Operation,
  OperationMethod,
  OperationParts,
  Parameter,
  PathItem,
  RequestContent,
  Response,
  Security,
  Tag,
} from './management-document.ts';
import { describeResumable } from './resumable-operations.ts';
import {
  ERROR_SCHEMA,
  ERROR_SCHEMA_NAME,
  REFUSAL_RESPONSES,
  RESPONSE_HEADERS,
  referToHeaders,
  referToRefusals,
} from './route-responses.ts';
import { buildRouteSchemas, type RouteSchemas } from './route-schemas.ts';

export interface ManagementDocumentOptions {
  readonly routes: readonly Route[];
  /** The routes of the tus protocol. */
  readonly resumable?: readonly ResumableRoute[];
  /** The base of the service's absolute URLs; without it, URLs are relative to the document. */
  readonly publicUrl: string | null;
  readonly version: string;
}

const METHODS = { GET: 'get', HEAD: 'head', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

const AUDIENCES = {
  anyone: 'Anyone may call this.',
  member: 'For owners and editors.',
  owner: 'For owners.',
} as const;

export function buildManagementDocument(options: ManagementDocumentOptions): ManagementDocument {
  const { routes, resumable = [], publicUrl, version } = options;
  const { components, ofRoutes } = buildRouteSchemas(routes);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Galley management API',
      version,
      summary: 'Manages sites, content types, content and more, for the admin panel and for automation.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl?.replace(/\/+$/, '') ?? '/', description: 'This service' }],
    tags: listTags([...routes, ...resumable]),
    paths: buildPaths([
      ...routes.map((route) => [route, describeRoute(route, routes, ofRoutes.get(route))] as const),
      ...resumable.map((route) => [route, describeResumable(route)] as const),
    ]),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A management token. API keys do not work here.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'galley_session',
          description: 'The cookie set on sign-in. Over TLS, its name is `__Host-galley_session`.',
        },
        csrfToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'The session’s CSRF token. Every request in a session, except for GET requests, requires it.',
        },
      },
      headers: RESPONSE_HEADERS,
      responses: REFUSAL_RESPONSES,
      schemas: { ...components, [ERROR_SCHEMA_NAME]: ERROR_SCHEMA },
    },
  };
}

const DESCRIPTION = [
  'Every request requires a management token (`Authorization: Bearer gm_…`) or a session cookie. With a session cookie, every request except GET also requires the session’s CSRF token in `X-CSRF-Token`.',
  'Bodies are JSON. Unknown properties and parameters are rejected, not ignored. Every error is an object with a `message` for people and a `code` for programs; `errors` lists all errors in the request, and `details` contains data for handling the error. Objects in other accounts are reported as not found.',
].join('\n\n');

/** The groups in the explorer, in the order in which people need them to build a site. */
const TAGS: readonly Tag[] = [
  { name: 'Set-up', description: 'The first owner of a new installation.' },
  { name: 'Session', description: 'Signing in and out.' },
  { name: 'Sites', description: 'Sites and their languages.' },
  { name: 'Content types', description: 'The kinds of content in a site, and their fields.' },
  { name: 'Content', description: 'Writing, publishing and scheduling.' },
  { name: 'Previews', description: 'Showing drafts on your website.' },
  { name: 'Versions', description: 'Reading, comparing and restoring saved versions.' },
  { name: 'Authors', description: 'The people named in bylines.' },
  { name: 'Assets', description: 'Images and other files.' },
  { name: 'API keys', description: 'Keys for the delivery API.' },
  { name: 'Webhooks', description: 'Calls to other programs when something changes, and a log of these calls.' },
  { name: 'Account', description: 'The account that owns everything.' },
  { name: 'Users', description: 'The people who can sign in, and their roles.' },
  { name: 'Tokens', description: 'Tokens for scripts that use this API.' },
  { name: 'Audit log', description: 'Who did what, when, and from where.' },
];

/** Lists the groups that the routes belong to. Groups that are not listed above come last. */
function listTags(routes: readonly Pick<Route, 'tag'>[]): readonly Tag[] {
  const used = new Set(routes.map(({ tag }) => tag));
  const known = new Set(TAGS.map(({ name }) => name));
  const others = [...used].filter((name) => !known.has(name));
  return [...TAGS.filter(({ name }) => used.has(name)), ...others.map((name) => ({ name }))];
}

type DescribedRoute = readonly [route: Route | ResumableRoute, parts: OperationParts];

function buildPaths(routes: readonly DescribedRoute[]): ManagementDocument['paths'] {
  const paths = new Map<string, Record<string, Operation>>();
  for (const [route, parts] of routes) {
    const path = `${MANAGEMENT_ROOT}${route.path}`;
    const item = paths.get(path) ?? {};
    const method: OperationMethod = METHODS[route.method];
    item[method] = buildOperation(route, parts);
    paths.set(path, item);
  }
  return Object.fromEntries(paths) satisfies Readonly<Record<string, PathItem>>;
}

function buildOperation(route: Route | ResumableRoute, { parameters, ...parts }: OperationParts): Operation {
  const allParameters = [...buildPathParameters(route.path), ...parameters];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, AUDIENCES[route.who]].filter((text) => text !== undefined).join('\n\n'),
    security: buildSecurity(route),
    ...(allParameters.length === 0 ? {} : { parameters: allParameters }),
    ...parts,
  };
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  asset: 'The id of the asset.',
  author: 'The id of the author.',
  call: 'The id of the call.',
  content: 'The id of the content object.',
  field: 'The id or handle of the field.',
  from: 'The version to compare, by number.',
  key: 'The id of the API key.',
  language: 'One of the site’s languages.',
  link: 'The id of the share link.',
  name: 'The name of the image preset.',
  number: 'The version number.',
  site: 'The id of the site.',
  to: 'The version to compare with, by number.',
  token: 'The id of the management token.',
  type: 'The id or handle of the content type.',
  upload: 'The id of the resumable upload.',
  user: 'The id of the user.',
  webhook: 'The id of the webhook.',
};

function buildPathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const description = PATH_PARAMETERS[name];
    return {
      name,
      in: 'path',
      ...(description === undefined ? {} : { description }),
      required: true,
      schema: { type: 'string', minLength: 1 },
    };
  });
}

function buildSecurity({ who, method }: Pick<Route | ResumableRoute, 'who' | 'method'>): Security {
  const session = method === 'GET' || method === 'HEAD' ? { session: [] } : { session: [], csrfToken: [] };
  return [{ token: [] }, session, ...(who === 'anyone' ? [{}] : [])];
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'One or more ETags, or `*` for any. If none of them is the current ETag, nothing is changed and the response is 412. Weak ETags never match.',
  required: false,
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to repeat a request. Choose a random key for each change. If you did not receive the response, or if it was a 503, send the same request again with the same key: the change will be made only once, and you will receive the first response again, with `Idempotent-Replayed: true`. Keys are kept for 24 hours.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

function describeRoute(route: Route, routes: readonly Route[], schemas: RouteSchemas | undefined): OperationParts {
  const hasCondition = findTarget(route, routes) !== undefined;
  const hasEtag = findState(route, routes) !== undefined;
  return {
    parameters: [
      ...buildQueryParameters(schemas),
      ...(hasCondition ? [IF_MATCH] : []),
      ...(takesIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...buildRequestBody(route, schemas),
    responses: { [route.status]: buildAnswer(route, schemas, hasEtag), ...referToRefusals(route, hasCondition) },
  };
}

function buildQueryParameters(schemas: RouteSchemas | undefined): readonly Parameter[] {
  const { properties = {}, required = [] } = schemas?.query ?? {};
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === 'object' ? property : {};
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      required: required.includes(name),
      schema,
    };
  });
}

function buildRequestBody({ body, form }: Route, schemas: RouteSchemas | undefined): Pick<Operation, 'requestBody'> {
  const json = schemas?.body;
  const content: RequestContent = {
    ...(json === undefined ? {} : { 'application/json': { schema: json } }),
    ...(form === undefined ? {} : { 'multipart/form-data': { schema: buildFormSchema(form, schemas?.fields) } }),
  };
  if (Object.keys(content).length === 0) return {};
  // A missing body is treated as an empty object.
  const required = body?.safeParse({}).success !== true;
  return { requestBody: { required, content } };
}

const FILE: JsonSchema = { type: 'string', format: 'binary' };

function buildFormSchema({ mostFiles }: NonNullable<Route['form']>, fields: JsonSchema = {}): JsonSchema {
  const { properties = {}, required = [] } = fields;
  const file: JsonSchema =
    mostFiles === 1
      ? { ...FILE, description: 'The file. The part can have any name, but it must have a file name.' }
      : {
          type: 'array',
          items: FILE,
          minItems: 1,
          maxItems: mostFiles,
          description: 'The files, which must come after all fields.',
        };
  return { type: 'object', properties: { ...properties, file }, required: [...required, 'file'] };
}

function buildAnswer(
  { method, status, refusals = [] }: Route,
  schemas: RouteSchemas | undefined,
  hasEtag: boolean,
): Response {
  const headers = referToHeaders(
    ...(hasEtag ? (['ETag'] as const) : []),
    ...(refusals.includes(429) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  );
  if (schemas?.answer === undefined) return { description: 'Success. The response has no body.', headers };
  return {
    description: method === 'GET' ? 'Found.' : status === 201 ? 'Created.' : 'Done.',
    headers,
    content: { 'application/json': { schema: schemas.answer } },
  };
}
