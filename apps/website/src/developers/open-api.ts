/** The parts of a JSON Schema (2020-12) that the documentation shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly example?: unknown };
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
}

interface PathOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly servers?: readonly unknown[];
  readonly 'x-session-only'?: boolean;
  readonly 'x-guest'?: 'too' | 'alone';
}

/** The API's OpenAPI 3.1 document. A test of the API checks this structure. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

/** The kind of secret that an operation needs: an API token, a session or a guest's token; null if none. */
export type Secret = 'TOKEN' | 'SESSION' | 'GUEST_TOKEN' | null;

export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly schema: Schema | null;
  readonly example: unknown;
}

export interface Body {
  /** Media type. */
  readonly type: string;
  /** The schema with its references resolved. */
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path template such as `/posts/{post}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isOnUploadHost: boolean;
  readonly secret: Secret;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  readonly answer: Answer | null;
  readonly errors: readonly Answer[];
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The content of the documentation. */
export interface ApiReference {
  readonly version: string;
  readonly description: string;
  readonly groups: readonly Group[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Errors that all operations share, by status. */
  readonly errors: readonly Answer[];
}

/** Reads an OpenAPI document. Groups have the document's order, operations the order of their paths. */
export function readReference(document: OpenApi): ApiReference {
  const { responses = {}, schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation
        ? [
            {
              tags: operation.tags ?? [],
              operation: readOperation(path, method, operation, document.components),
            },
          ]
        : [];
    }),
  );
  return {
    version: document.info.version,
    description: document.info.description ?? '',
    groups: document.tags.map(({ name, description = '' }) => ({
      name,
      description,
      operations: operations.filter(({ tags }) => tags[0] === name).map(({ operation }) => operation),
    })),
    schemas,
    errors: commonErrors(document, responses),
  };
}

function readOperation(
  path: string,
  method: Method,
  operation: PathOperation,
  { responses = {}, schemas }: OpenApi['components'],
): Operation {
  const answers = Object.entries(operation.responses).map(([status, response]) =>
    readAnswer(Number(status), response, responses),
  );
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary ?? operation.operationId,
    description: operation.description ?? '',
    isOnUploadHost: operation.servers !== undefined,
    secret: secretOf(operation),
    parameters: operation.parameters ?? [],
    body:
      type !== undefined && body
        ? { type, schema: schemas[nameIn(body.schema.$ref)] ?? body.schema, example: body.example }
        : null,
    answer: answers.find(({ status }) => status >= 200 && status < 300) ?? null,
    errors: answers.filter(({ status }) => status >= 400),
  };
}

function secretOf({ security = [], ...operation }: PathOperation): Secret {
  if (security.length === 0 || security.some((way) => Object.keys(way).length === 0)) return null;
  if (operation['x-guest'] === 'alone') return 'GUEST_TOKEN';
  return operation['x-session-only'] ? 'SESSION' : 'TOKEN';
}

function readAnswer(
  status: number,
  response: Response,
  responses: Readonly<Record<string, Response>>,
): Answer {
  const { description, content } = responses[nameIn(response.$ref)] ?? response;
  const json = content?.['application/json'];
  return { status, description: description ?? '', schema: json?.schema ?? null, example: json?.example };
}

/** The shared responses, by the status under which operations refer to them. */
function commonErrors(document: OpenApi, responses: Readonly<Record<string, Response>>): Answer[] {
  const found = new Map<number, Answer>();
  for (const methods of Object.values(document.paths)) {
    for (const method of METHODS) {
      for (const [status, response] of Object.entries(methods[method]?.responses ?? {})) {
        if (Number(status) >= 400 && !found.has(Number(status))) {
          found.set(Number(status), readAnswer(Number(status), response, responses));
        }
      }
    }
  }
  return [...found.values()].sort((a, b) => a.status - b.status);
}

/** The last part of a reference within the document; empty if there is no reference. */
export const nameIn = (reference: string | undefined): string => reference?.split('/').at(-1) ?? '';
