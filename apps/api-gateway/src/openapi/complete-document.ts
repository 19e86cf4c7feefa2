import type {
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { ACCESS_EXTENSION, type AccessRule, IDEMPOTENT_EXTENSION } from '@vitrine/http';
import { ERROR_RESPONSES } from './error-responses';
import { exampleOf } from './example-of';
import { nameAnswers } from './named-answers';
import { PATH_PARAMETERS } from './path-parameters';
import { headersWith, optionalHeader, RESPONSE_HEADERS } from './response-headers';
import { type Method, type Route, routesOf } from './scanned-document';
import { TAGS } from './tags';
import { describeWebhooks } from './webhook-operations';

/** The name of the security scheme in the document. */
export const BEARER = 'bearer';

/**
 * Makes the published document from the one that @nestjs/swagger scanned: with paths relative to the base address,
 * short schema names, named answers, security and errors from each route's access rule, headers, parameters, examples
 * and webhooks. `prefix` is the prefix of all scanned paths, such as `/api/v1`. Throws if a route has another path or
 * has no access rule, or if a POST takes no `Idempotency-Key`.
 */
export function completeDocument(scanned: OpenAPIObject, prefix: string): OpenAPIObject {
  const document = withShortNames(scanned);
  // The builder writes an empty address.
  delete document.info.contact?.email;
  const schemas = document.components?.schemas ?? {};
  document.paths = relativePaths(document.paths, prefix);
  nameAnswers(document, schemas);
  for (const route of routesOf(document)) completeRoute(route, schemas);
  document.webhooks = describeWebhooks(schemas);
  document.tags = TAGS.filter(({ name }) => routesOf(document).some((route) => hasTag(route, name)));
  document.components = {
    ...document.components,
    headers: RESPONSE_HEADERS,
    responses: errorComponents(document),
    schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b, 'en'))),
    securitySchemes: {
      [BEARER]: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API token (`vtr_…`) with the scope that the operation requires, or a session token (`vts_…`). The website also uses guest tokens (`vtg_…`) and, for uploads, upload tickets (`vtu_…`).',
      },
    },
  };
  return document;
}

/** Names `MediaResource` `Media`, for example. Throws if two classes would share a name. */
function withShortNames(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(document.components?.schemas ?? {});
  const short = (name: string): string => name.replace(/Resource$/, '');
  const shortened = new Set(names.map(short));
  if (shortened.size < names.length) throw new Error(`Schemas share a name: ${names.join(', ')}`);
  const text = JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return short(value);
    if (key !== 'schemas' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [short(name), schema]));
  });
  return JSON.parse(text) as OpenAPIObject;
}

function relativePaths(paths: OpenAPIObject['paths'], prefix: string): OpenAPIObject['paths'] {
  const relative = Object.entries(paths).map(([path, item]) => {
    if (!path.startsWith(`${prefix}/`)) throw new Error(`${path} is not below ${prefix}`);
    return [path.slice(prefix.length), item] as const;
  });
  return Object.fromEntries(relative.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function completeRoute(route: Route, schemas: Schemas): void {
  const { method, path, operation } = route;
  const access = operation[ACCESS_EXTENSION];
  if (!access) throw new Error(`${method} ${path} declares neither @Public nor @Authenticated`);
  delete operation[ACCESS_EXTENSION];
  if (method === 'post' && !operation[IDEMPOTENT_EXTENSION]) {
    throw new Error(`${method} ${path} is not declared with @IdempotentPost`);
  }
  delete operation[IDEMPOTENT_EXTENSION];
  secure(operation, access);
  completeParameters(operation, method === 'post');
  const body = operation.requestBody;
  if (body && !('$ref' in body)) addExamples(body.content, schemas);

  for (const [status, response] of Object.entries(operation.responses)) {
    if (response && !('$ref' in response)) completeResponse(Number(status), response, method, schemas);
  }
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  const statuses = errorStatusesOf({
    method,
    access,
    hasPathParameters: parameters.some((parameter) => parameter.in === 'path'),
    hasBody: body !== undefined,
    hasQuery: parameters.some((parameter) => parameter.in === 'query'),
  });
  for (const status of statuses) operation.responses[status] ??= referenceTo(status);
}

const secure = (operation: OperationObject, access: AccessRule | 'public'): void => {
  operation.security = access === 'public' ? [{}, { [BEARER]: [] }] : [{ [BEARER]: [] }];
  if (access === 'public') {
    operation.description = [operation.description, 'Requires no token.'].filter(Boolean).join('\n\n');
    return;
  }
  const { scope, session, guest, ticket, role } = access;
  const staff = role && STAFF[role];
  operation.description = [operation.description, staff, needsOf(access)].filter(Boolean).join('\n\n');
  Object.assign(
    operation,
    scope && { 'x-scope': scope },
    session && { 'x-session-only': true },
    guest && { 'x-guest': guest },
    ticket && { 'x-ticket': ticket },
    role && { 'x-role': role },
  );
};

const STAFF = {
  moderator: 'Only moderators and admins may do this.',
  admin: 'Only admins may do this.',
} as const;

/** Which tokens a route accepts, in words. */
function needsOf({ scope, session, guest, ticket, visitors }: AccessRule): string {
  if (guest === 'alone') return 'Requires a guest token.';
  const others = [...(guest ? ['a guest token'] : []), ...(ticket ? ['an upload ticket'] : [])];
  const unlessVisiting = visitors ? ' The website may request it for a visitor without a token.' : '';
  if (session)
    return `Requires ${['a session', ...others].join(' or ')}; API tokens are not accepted.${unlessVisiting}`;
  if (scope) {
    const takes = ['a session', `an API token with the scope \`${scope}\``, ...others];
    return `Requires ${takes.slice(0, -1).join(', ')}, or ${takes.at(-1)}.`;
  }
  return 'Requires a session or an API token.';
}

function completeParameters(operation: OperationObject, isPost: boolean): void {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  for (const parameter of parameters) {
    if (parameter.in === 'path') Object.assign(parameter, PATH_PARAMETERS[parameter.name]);
    // No operation of this API has a required query parameter.
    if (parameter.in === 'query') parameter.required = false;
  }
  if (isPost) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    });
  }
  operation.parameters = parameters;
}

/** Adds headers and an example to a declared response, and to an error without content that of the catalogue. */
function completeResponse(
  status: number,
  response: ResponseObject,
  method: Route['method'],
  schemas: Schemas,
): void {
  const known = ERROR_RESPONSES[status];
  if (known) {
    response.description ||= known.description;
    response.content ??= errorContent(status);
  }
  const further = [
    ...(known?.headers ?? []),
    ...(status === 201 ? ['Location'] : []),
    ...(method === 'post' && status < 500 ? ['Idempotent-Replayed'] : []),
  ];
  response.headers = { ...headersWith(status, ...further), ...response.headers };
  addExamples(response.content ?? {}, schemas);
}

type Schemas = Readonly<Record<string, SchemaObject | ReferenceObject>>;

function addExamples(content: Record<string, MediaTypeObject>, schemas: Schemas): void {
  for (const media of Object.values(content)) {
    if (media.schema && media.example === undefined) media.example = exampleOf(media.schema, schemas);
  }
}

const hasTag = ({ operation }: Route, name: string): boolean => operation.tags?.includes(name) ?? false;

const referenceTo = (status: number): ReferenceObject => ({
  $ref: `#/components/responses/${ERROR_RESPONSES[status]?.name}`,
});

const errorContent = (status: number): ResponseObject['content'] => {
  const known = ERROR_RESPONSES[status];
  return known && { 'application/json': { schema: schemaNamed(known.schema), example: known.example } };
};

const schemaNamed = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** The error responses to which routes refer. */
function errorComponents(document: OpenAPIObject): Record<string, ResponseObject> {
  const referred = JSON.stringify(document.paths);
  const used = Object.entries(ERROR_RESPONSES).filter(([status]) =>
    referred.includes(`"${referenceTo(Number(status)).$ref}"`),
  );
  return Object.fromEntries(
    used.map(([status, { name, description, headers, optionalHeaders = [] }]) => [
      name,
      {
        description,
        headers: {
          ...headersWith(Number(status), ...headers),
          ...Object.fromEntries(optionalHeaders.map((header) => [header, optionalHeader(header)])),
        },
        content: errorContent(Number(status)),
      },
    ]),
  );
}

/** The properties of a route that decide which errors it may answer. */
export interface RouteTraits {
  readonly method: Method;
  readonly access: AccessRule | 'public';
  readonly hasPathParameters: boolean;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
}

/** The error statuses that a route may answer, besides those that it declares. */
export function errorStatusesOf(traits: RouteTraits): number[] {
  const { method, access, hasPathParameters, hasBody, hasQuery } = traits;
  const statuses = [401, 429, 500, 503];
  if (access !== 'public') statuses.push(403);
  if (hasPathParameters) statuses.push(404);
  // A body is read whether or not the route declares one.
  if (method !== 'get' && method !== 'head') statuses.push(400, 408, 413, 415);
  if (hasBody || hasQuery) statuses.push(422);
  // The Idempotency-Key: still in progress, or used with another request.
  if (method === 'post') statuses.push(409, 422);
  return [...new Set(statuses)].sort((a, b) => a - b);
}
