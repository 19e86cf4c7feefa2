import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

interface Operation {
  readonly operationId: string;
  readonly servers?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}

/** As much of docs/openapi.json as is read here; the rest goes to openapi-typescript as it is. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
  readonly components: { readonly schemas: object };
}

/** What of the generated declarations the client builds on. */
const KEPT = /\b(interface|type) (components|operations)\b/;

const NOTICE = '// Made of docs/openapi.json by `npm run client:types`. Do not edit.\n\n';

/** Types of every request and every good answer. */
export async function typesOf(document: ApiDocument): Promise<string> {
  const lean = {
    ...document,
    paths: leanPaths(document),
    components: { schemas: document.components.schemas },
  };
  const declarations = await openapiTS(JSON.stringify(withoutExamples(lean)), { alphabetize: true });
  const kept = declarations.map((node) => astToString(node)).filter((text) => KEPT.test(text));
  return NOTICE + kept.join('\n');
}

/** Method, path and host of each operation. */
export function operationsOf(document: ApiDocument): string {
  const rows = operations(document)
    .sort(([, , a], [, , b]) => (a.operationId < b.operationId ? -1 : 1))
    .map(([path, method, { operationId, servers }]) => {
      const host = servers ? 'upload' : 'api';
      return `${operationId}: ${JSON.stringify({ method: method.toUpperCase(), path, host })},`;
    });
  return `${NOTICE}export const OPERATIONS = {\n${rows.join('\n')}\n} as const;\n`;
}

function operations(document: ApiDocument): [path: string, method: Method, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Method, Operation][] => {
      const operation = item[method];
      return operation ? [[path, method, operation]] : [];
    }),
  );
}

/** The paths with the good answers' bodies alone: headers and errors are the same everywhere. */
function leanPaths(document: ApiDocument): OpenAPI3['paths'] {
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, method, operation] of operations(document)) {
    const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    const responses = Object.fromEntries(
      good.map(([status, { content }]) => [status, { description: '', ...(content ? { content } : {}) }]),
    );
    (paths[path] ??= {})[method] = { ...operation, responses };
  }
  return paths;
}

/** Examples are for the reader of the document; here they'd be half of the file. A property may go by that name. */
function withoutExamples(value: unknown, namesProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => namesProperties || (key !== 'example' && key !== 'examples'))
      .map(([key, inner]) => [key, withoutExamples(inner, key === 'properties')]),
  );
}
