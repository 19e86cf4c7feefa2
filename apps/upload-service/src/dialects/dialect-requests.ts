import type { IncomingMessage } from 'node:http';
import { API_PREFIX, type ErrorShape, recordCredential, recordErrorShape } from '@vitrine/http';
import type { RewriteTarget } from '@vitrine/runtime';
import type { DialectName } from './dialects.config';
import {
  cheveretoError,
  imgurError,
  imgurXmlError,
  lskyError,
  plainError,
  ziplineError,
} from './error-shapes';

/** Reads a token from the value of an `Authorization` header; undefined if it has another form. */
type AuthorizationForm = (header: string) => string | undefined;

const bearer: AuthorizationForm = (header) => /^Bearer +([^ ]+) *$/i.exec(header)?.[1];

const clientId: AuthorizationForm = (header) => /^Client-ID +([^ ]+) *$/i.exec(header)?.[1];

/** Only the token, without a scheme. */
const withoutScheme: AuthorizationForm = (header) => /^ *([^ ]+) *$/.exec(header)?.[1];

/** The token is the password; or the user name, if the password is empty. */
const basic: AuthorizationForm = (header) => {
  const encoded = /^Basic +([\w+/-]{1,400}={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return password.join(':') || user || undefined;
};

/** A path that no route has. */
const NOWHERE = '/-';
/** The route of plain uploads. `PUT /<name>` is rewritten to it, so that other methods on `/<name>` stay 404. */
export const PLAIN_PREFIX = '/put/';
/** `/c/<token>/<path>`; without a path it is the own upload route. */
const TOKEN_IN_PATH = /^\/c\/([^/]+)(\/.*)?$/;

interface Dialect {
  readonly name: DialectName;
  /** Its paths, without a suffix that names a format and without a slash at the end. */
  readonly paths: RegExp;
  /** Plain uploads have any name as their path, so only their method identifies them. */
  readonly method?: string;
  readonly authorization: readonly AuthorizationForm[];
  /** Whether the token may be in `X-API-Key` and in the query as `key`. */
  readonly takesKey?: true;
  readonly errors?: ErrorShape;
}

const IMGUR: Dialect = {
  name: 'imgur',
  // Also of paths that no route has, so that an error there has the dialect's form too.
  paths: /^\/3\/./,
  authorization: [bearer, clientId],
  errors: imgurError,
};

const KNOWN: readonly Dialect[] = [
  IMGUR,
  {
    name: 'chevereto',
    paths: /^\/api\/1\/upload$/,
    authorization: [bearer],
    takesKey: true,
    errors: cheveretoError('source'),
  },
  {
    name: 'imgbb',
    paths: /^\/1\/upload$/,
    authorization: [bearer],
    takesKey: true,
    errors: cheveretoError('image'),
  },
  { name: 'zipline', paths: /^\/api\/upload$/, authorization: [bearer, withoutScheme], errors: ziplineError },
  { name: 'lsky', paths: new RegExp(`^/${API_PREFIX}/upload$`), authorization: [bearer], errors: lskyError },
  { name: 'legacy', paths: /^\/uploads$/, authorization: [bearer] },
  {
    name: 'plain',
    method: 'PUT',
    paths: /^\/[^/]+$/,
    authorization: [bearer, basic],
    errors: plainError,
  },
];

const xmlRequests = new WeakSet<IncomingMessage>();

/** Whether the client asked for XML, by the suffix `.xml`. */
export const wantsXml = (request: IncomingMessage): boolean => xmlRequests.has(request);

/**
 * Prepares requests before any other code sees them: takes the token out of the path or the query, so that no log,
 * trace, metric or idempotency key can contain it, and records it with the form in which the dialect's programs
 * expect errors. If there are several tokens, the one in the path is used, else the one in `Authorization`,
 * `X-API-Key` or `key` in the query, in this order, because programs with a built-in key send it to every address.
 */
export function dialectRequests(enabled: readonly DialectName[]): RewriteTarget {
  return (url, request) => {
    const [sentPath = '', sentQuery] = splitOnce(url, '?');
    const [, token, rest = '/'] = TOKEN_IN_PATH.exec(sentPath) ?? [];
    if (token !== undefined) recordCredential(request, { secret: token, inPath: true });
    const path = token === undefined ? sentPath : pathUnderToken(rest);
    const [target, query] = apply(path, sentQuery, request, { enabled, identified: token !== undefined });
    return query === undefined || query === '' ? target : `${target}?${query}`;
  };
}

/** Files need no token, and a second token would be logged. */
const pathUnderToken = (rest: string): string => {
  if (rest === '/') return `/${API_PREFIX}/media`;
  return /^\/[cf]\//.test(rest) ? NOWHERE : rest;
};

interface Situation {
  readonly enabled: readonly DialectName[];
  /** The token is known already. */
  readonly identified: boolean;
}

function apply(
  sent: string,
  query: string | undefined,
  request: IncomingMessage,
  { enabled, identified }: Situation,
): readonly [target: string, query: string | undefined] {
  if (sent.startsWith(PLAIN_PREFIX)) return [NOWHERE, query];
  const path = withoutForm(sent);
  const dialect = KNOWN.find(
    ({ method, paths }) => (method === undefined || method === request.method) && paths.test(path),
  );
  if (!dialect) return [sent, query];
  if (!enabled.includes(dialect.name)) return [NOWHERE, undefined];
  // Imgur's programs change images and albums by either method.
  if (dialect === IMGUR && request.method === 'PUT') request.method = 'POST';
  const isXml = dialect === IMGUR && /\.xml\/?$/.test(sent);
  if (isXml) xmlRequests.add(request);
  const errors = isXml ? imgurXmlError : dialect.errors;
  if (errors) recordErrorShape(request, errors);
  const parameters = dialect.takesKey && query !== undefined ? new URLSearchParams(query) : undefined;
  if (!identified) identify(request, dialect, parameters);
  parameters?.delete('key');
  return [
    dialect.name === 'plain' ? PLAIN_PREFIX + path.slice(1) : path,
    parameters ? parameters.toString() : query,
  ];
}

/** Removes the slash that programs add to the paths of dialects, and the format that Imgur's paths may end in. */
function withoutForm(path: string): string {
  const plain = path.replace(/([^/])\/$/, '$1');
  if (plain.startsWith('/3/')) return plain.replace(/\.(?:json|xml)$/, '');
  // Other paths keep their slash, so that it is seen as misspelt.
  return KNOWN.some(({ method, paths }) => method === undefined && paths.test(plain)) ? plain : path;
}

function identify(request: IncomingMessage, dialect: Dialect, query: URLSearchParams | undefined): void {
  const header = request.headers.authorization ?? '';
  const apiKey = request.headers['x-api-key'];
  const found = [
    ...dialect.authorization.map((read) => read(header)),
    ...(dialect.takesKey ? [typeof apiKey === 'string' ? apiKey : undefined, query?.get('key')] : []),
  ];
  const secret = found.find((one) => one !== undefined && one !== null && one !== '');
  if (typeof secret === 'string') recordCredential(request, { secret });
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
