// Checks real responses strictly against the OpenAPI document: status, headers and body.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Header, JsonSchema, OpenApiDocument, Reference, Response } from '../../src/explorer/open-api.ts';

/** Headers from fetch or from Fastify's inject. */
export type ResponseHeaders = Headers | Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * @param path the path as written in the document, such as `/api/v1/content/{id}`
 * @param headers not checked if undefined
 * @param body the parsed JSON; undefined or an empty string if there is none
 * @returns the problems, one sentence each; empty for a valid response
 */
export type ResponseCheck = (
  path: string,
  status: number,
  headers: ResponseHeaders | undefined,
  body: unknown,
) => readonly string[];

export function compileResponseCheck(document: OpenApiDocument): ResponseCheck {
  const schemas = compileSchemas(document);
  return (path, status, headers, body) => {
    const described = document.paths[path]?.get.responses[status];
    if (described === undefined) return [`the document defines no response ${status} for ${path}`];
    const response = resolveResponse(document, described);
    return [
      ...(headers === undefined ? [] : findHeaderFaults(document, schemas, response, headers)),
      ...findBodyFaults(schemas, response, body),
    ];
  };
}

export type SchemaCheck = (schema: JsonSchema, value: unknown) => readonly string[];

/** Checks values against schemas that refer to the document's components. */
export function compileSchemas(document: OpenApiDocument): SchemaCheck {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, discriminator: true });
  addFormats.default(ajv);
  ajv.addVocabulary(['components']);
  const components = { schemas: withoutMappings(document.components.schemas) };
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const compile = (schema: JsonSchema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const validate = ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate;
  };
  const check: SchemaCheck = (schema, value) => {
    const validate = compile(schema);
    if (validate(value)) return [];
    const faults = (validate.errors ?? []).map(formatFault);
    // If there are several alternatives, only the errors from the closest one are useful.
    const [nearest = []] = listAlternatives(document, schema)
      .map((alternative) => check(alternative, value))
      .sort((a, b) => a.length - b.length);
    return nearest.length > 0 ? nearest : faults;
  };
  return check;
}

/** Ajv resolves a discriminator from the constants in the schemas, and rejects the mapping that OpenAPI adds. */
function withoutMappings(schemas: OpenApiDocument['components']['schemas']): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(schemas, (key, value) => (key === 'discriminator' ? { propertyName: value.propertyName } : value)),
  );
}

function listAlternatives(document: OpenApiDocument, schema: JsonSchema): readonly JsonSchema[] {
  const { $ref } = schema;
  const named = $ref === undefined ? schema : document.components.schemas[lastPart($ref)];
  return named?.discriminator === undefined ? (named?.oneOf ?? []) : [];
}

function formatFault({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

function resolveResponse(document: OpenApiDocument, response: Response | Reference): Response {
  if (!('$ref' in response)) return response;
  const resolved = document.components.responses[lastPart(response.$ref)];
  if (resolved === undefined) throw new Error(`the document does not define ${response.$ref}`);
  return resolved;
}

export function resolveHeader(document: OpenApiDocument, header: Header | Reference): Header {
  if (!('$ref' in header)) return header;
  const resolved = document.components.headers[lastPart(header.$ref)];
  if (resolved === undefined) throw new Error(`the document does not define ${header.$ref}`);
  return resolved;
}

function lastPart(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function findHeaderFaults(
  document: OpenApiDocument,
  check: SchemaCheck,
  response: Response,
  headers: ResponseHeaders,
): readonly string[] {
  return Object.entries(response.headers ?? {}).flatMap(([name, described]) => {
    const header = resolveHeader(document, described);
    const text = readHeader(headers, name);
    if (text === undefined) return header.required ? [`header ${name} is missing`] : [];
    const value = header.schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
    return check(header.schema, value).map((fault) => `header ${name} is ${JSON.stringify(text)}:${fault}`);
  });
}

function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return value === undefined ? undefined : [value].flat().join(', ');
}

function findBodyFaults(check: SchemaCheck, response: Response, body: unknown): readonly string[] {
  const schema = response.content?.['application/json']?.schema;
  const isEmpty = body === undefined || body === '';
  if (schema === undefined) return isEmpty ? [] : ['there is a body where the document defines none'];
  return isEmpty ? ['the body is missing'] : check(schema, body).map((fault) => `body${fault}`);
}
