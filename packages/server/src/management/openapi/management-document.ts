// The part of OpenAPI 3.1 that the management API's document uses.

import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export type JsonContent = Readonly<{ 'application/json': MediaType }>;

export type RequestContent = Readonly<
  Partial<Record<'application/json' | 'multipart/form-data' | 'application/offset+octet-stream', MediaType>>
>;

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: JsonContent;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Ways to authenticate. Each entry is an alternative; all schemes in an entry are required together. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: Security;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: RequestContent };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

/** The parts of an operation that depend on what it accepts and returns. */
export type OperationParts = Pick<Operation, 'requestBody' | 'responses'> & {
  /** Excludes path parameters. */
  readonly parameters: readonly Parameter[];
};

export type OperationMethod = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

export type PathItem = Partial<Record<OperationMethod, Operation>>;

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'cookie';
      readonly name: string;
      readonly description: string;
    };

export interface ManagementDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
