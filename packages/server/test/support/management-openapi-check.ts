// Checks management API responses strictly against the OpenAPI document: status, headers and body.

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PROBLEMS, type Problem } from '../../src/http/problems.ts';
import { buildManagementDocument } from '../../src/management/openapi/build-management-document.ts';
import type { ManagementDocument } from '../../src/management/openapi/management-document.ts';
import { RESUMABLE_ROUTES } from '../../src/management/routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** @returns the problems, one sentence each; empty for a valid response */
export type ManagementCheck = (method: string, path: string, answer: CheckedAnswer) => readonly string[];

const DOCUMENT_ID = 'galley:management';
/** Statuses that the HTTP layer can return on any path, before routing. */
const HTTP_REFUSALS: readonly Problem[] = [
  PROBLEMS.badRequest,
  PROBLEMS.notFound,
  PROBLEMS.methodNotAllowed,
  PROBLEMS.requestTimeout,
  PROBLEMS.uriTooLong,
  PROBLEMS.expectationFailed,
  PROBLEMS.headersTooLarge,
];

let ofThisService: ManagementCheck | undefined;

/** The check for the registered routes, created on first use. */
export function checkManagementAnswer(method: string, path: string, answer: CheckedAnswer): readonly string[] {
  ofThisService ??= compileManagementCheck(
    buildManagementDocument({
      routes: MANAGEMENT_ROUTES,
      resumable: RESUMABLE_ROUTES,
      publicUrl: null,
      version: '0.0.0-test',
    }),
  );
  return ofThisService(method, path, answer);
}

export function compileManagementCheck(document: ManagementDocument): ManagementCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: DOCUMENT_ID });

  function findFaults(pointer: string, value: unknown): readonly string[] {
    const reference = `${DOCUMENT_ID}#${pointer}`;
    const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
    return validate(value) ? [] : (validate.errors ?? []).map(formatFault);
  }

  return (method, url, { status, headers, body }) => {
    const [path = ''] = url.split('?');
    const place = findOperation(document, method, path);
    const responses = place?.operation.responses ?? {};
    const described = responses[status];
    if (described === undefined) {
      if (place !== undefined && !isHttpRefusal(status, body)) {
        const known = Object.keys(responses).join(', ');
        return [`status ${status} is not one of the documented ones: ${known}`];
      }
      return method === 'HEAD' || body === undefined ? [] : findFaults('/components/schemas/Error', body);
    }
    const pointer = '$ref' in described ? described.$ref.slice(1) : `${place?.pointer}/responses/${status}`;
    const response = '$ref' in described ? document.components.responses[lastPart(described.$ref)] : described;
    const missing = Object.keys(response?.headers ?? {}).filter((name) => !headers.has(name));
    return [
      ...missing.map((name) => `header ${name} is missing`),
      ...(response?.content === undefined
        ? findNeedlessBody(body)
        : findFaults(`${pointer}/content/application~1json/schema`, body)),
    ];
  };
}

function isHttpRefusal(status: number, body: unknown): boolean {
  const text = JSON.stringify(body);
  return HTTP_REFUSALS.some(({ message, code, ...known }) => {
    // The error for a request that could not be parsed has no code.
    const texts = [{ message, code }, { message }].map((each) => JSON.stringify(each));
    return known.status === status && texts.includes(text);
  });
}

function findOperation(document: ManagementDocument, method: string, path: string) {
  const name = method.toLowerCase();
  const candidates = Object.entries(document.paths)
    .filter(([pattern]) => toPattern(pattern).test(path))
    // A literal path segment takes precedence over a parameter, as in the router.
    .sort(([a], [b]) => countParameters(a) - countParameters(b));
  for (const [pattern, item] of candidates) {
    const found = Object.entries(item).find(([key]) => key === name)?.[1];
    if (found === undefined) continue;
    return {
      operation: found,
      pointer: `/paths/${pattern.replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent)}/${name}`,
    };
  }
  return undefined;
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function countParameters(path: string): number {
  return path.split('{').length;
}

function lastPart(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function findNeedlessBody(body: unknown): readonly string[] {
  return body === undefined ? [] : ['there is a body where the document defines none'];
}

function formatFault({ instancePath, message, params }: ErrorObject): string {
  return `body${instancePath} ${message} ${JSON.stringify(params)}`;
}
