import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FILE = resolve(__dirname, '../../../docs/openapi.json');

/** The parts of a JSON Schema that tests read. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly [keyword: string]: unknown;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: OpenApiSchema;
  readonly description?: string;
  readonly example?: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: OpenApiSchema; example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  /** Set if the operation is only on the upload host. */
  readonly servers?: readonly unknown[];
  readonly 'x-scope'?: string;
  readonly 'x-session-only'?: true;
  readonly 'x-guest'?: 'too' | 'alone';
  readonly 'x-ticket'?: 'too';
  readonly 'x-role'?: 'moderator';
}

export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

/** The two hosts of the API: {base_url}, and the one of {upload_url}. */
export type ApiHost = 'api' | 'upload';

/** One operation with its host and path; `path` is a template such as `/media/{slug}`. */
export interface DocumentedOperation {
  readonly host: ApiHost;
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Reads docs/openapi.json, which another test compares with the code. */
export const readOpenApi = (): OpenApiDocument => JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument;

/** Every operation of the document; methods in capitals. */
export function documentedOperations(document: OpenApiDocument = readOpenApi()): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      host: operation.servers ? 'upload' : 'api',
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}
