import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

interface Operation {
  readonly operationId: string;
  readonly servers?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}

/** The part of docs/openapi.json that is read here; openapi-typescript gets all of it. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
  readonly components: { readonly schemas: object };
}

/** The generated declarations that the client uses. */
const KEPT = /\b(interface|type) (components|operations)\b/;

const NOTICE = '// Generated from docs/openapi.json by `npm run client:types`. Do not edit.\n\n';

/** What the generator writes for each operation, and no caller reads. */
const NOISE = /^ *(?:(?:header|cookie)\?: never;|headers: \{\s*\[name: string\]: unknown;\s*\};)\n/gm;

/** The types of every request and every successful answer, and of the payloads of webhooks. */
export async function typesOf(document: ApiDocument): Promise<string> {
  const lean = {
    ...document,
    // The client sends none of these requests.
    webhooks: {},
    paths: leanPaths(document),
    components: { schemas: document.components.schemas },
  };
  const declarations = await openapiTS(JSON.stringify(withoutExamples(lean)), { alphabetize: true });
  const kept = declarations.map((node) => astToString(node)).filter((text) => KEPT.test(text));
  return NOTICE + kept.join('\n').replace(NOISE, '');
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

/** The paths with only the bodies of successful answers: headers and errors are the same everywhere. */
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

/** Removes examples, which would be half of the file. A property may have the name `example`. */
function withoutExamples(value: unknown, namesProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => namesProperties || (key !== 'example' && key !== 'examples'))
      .map(([key, inner]) => [key, withoutExamples(inner, key === 'properties')]),
  );
}
