import { OPERATIONS } from '../api/api-operations';
import type { operations } from '../api/api-types';
import { randomHex } from './random-hex';
import { pause, retryDelay, type RetryOptions, type RetryPolicy, retryPolicy } from './retry';
import { type Answer, bodyOf, errorOf, UnaddressableError, VitrineError } from './vitrine-error';

export type OperationId = keyof operations & keyof typeof OPERATIONS;

/** Options of every method. */
export interface CallOptions {
  /** Aborts the request and the pauses between attempts. */
  readonly signal?: AbortSignal | undefined;
  /** Key for a POST request; random by default, so that a repeated attempt takes effect once. */
  readonly idempotencyKey?: string | undefined;
}

/** The access key of a private post of another account. */
export interface AccessKeyQuery {
  readonly key?: string | undefined;
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Parameters<Id extends OperationId> = operations[Id]['parameters'];

/** The response body of an operation that succeeded. */
export type AnswerOf<Id extends OperationId> = Json<Responses<Id>[keyof Responses<Id>]>;
/** The query parameters of an operation; flags are booleans. */
export type QueryOf<Id extends OperationId> = WithFlags<NonNullable<Parameters<Id>['query']>>;
type WithFlags<Query> = { readonly [Name in keyof Query]: Flag<Query[Name]> };
type Flag<Value> = '1' extends Value ? (string extends Value ? Value : boolean | undefined) : Value;
/** The JSON body of an operation's request. */
export type BodyOf<Id extends OperationId> = Readonly<Json<NonNullable<operations[Id]['requestBody']>>>;
type PathOf<Id extends OperationId> = NonNullable<Parameters<Id>['path']>;

/** The path, query and body of an operation's request. */
export type Ask<Id extends OperationId> = {
  readonly path?: Readonly<Record<keyof PathOf<Id>, string | number>>;
  readonly query?: QueryOf<Id> | URLSearchParams;
  readonly body?: BodyOf<Id>;
};

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<FetchedAnswer>;

/** The part of a `Response` that the client reads. `text` is called at most once. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}

export interface TransportOptions {
  /** Address of all endpoints except the upload. It ends in `/api/v1`. */
  readonly baseUrl: string;
  /** Address of the upload endpoint. It ends in `/api/v1/media`. */
  readonly uploadUrl?: string | undefined;
  /** API token (`vtr_…`), session token (`vts_…`), guest token (`vtg_…`) or upload ticket (`vtu_…`). */
  readonly token?: string | undefined;
  /** Headers for every request to both addresses. Headers that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** `false` turns retries off. */
  readonly retry?: RetryOptions | false | undefined;
}

const OWN_HEADERS = /^(?:accept|authorization|content-length|content-type|idempotency-key)$/i;

/** One attempt of a request. Rejects if there is no complete response. */
export type Exchange = (headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Sends requests to the two hosts, repeats them if that can help, and returns the response bodies. */
export class Transport {
  private readonly policy: RetryPolicy;
  private readonly baseUrl: string;

  constructor(readonly options: TransportOptions) {
    this.baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
    for (const name of Object.keys(options.headers ?? {})) {
      // A header that is set twice would be sent with both values joined.
      if (OWN_HEADERS.test(name)) throw new TypeError(`The client sets ${name} itself.`);
    }
    this.policy = retryPolicy(options.retry);
  }

  /** Carries out an operation. Throws `VitrineError`, `UnaddressableError`, or the reason of the signal. */
  async call<Id extends OperationId>(
    id: Id,
    { path, query, body }: Ask<Id>,
    options: CallOptions = {},
  ): Promise<AnswerOf<Id>> {
    const { method, path: template } = OPERATIONS[id];
    const url = this.baseUrl + fillPath(template, path ?? {}) + toSearch(query);
    const answer = await this.exchange(method, options, (headers) =>
      this.fetch(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(options.signal && { signal: options.signal }),
      }),
    );
    return answer as AnswerOf<Id>;
  }

  /**
   * Repeats `attempt` until it succeeds or must not be repeated, and returns the response body. `once` forbids a
   * second attempt.
   */
  async exchange(
    method: string,
    { signal, idempotencyKey }: CallOptions,
    attempt: Exchange,
    once = false,
  ): Promise<unknown> {
    const key = method === 'POST' ? (idempotencyKey ?? randomHex(16)) : undefined;
    const { token } = this.options;
    const headers = {
      ...this.options.headers,
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const repeatable = key !== undefined || method === 'GET';
    for (let count = 1; ; count++) {
      try {
        return await answered(attempt, headers, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const delay = once ? undefined : retryDelay(error, count, repeatable, this.policy);
        if (delay === undefined) throw error;
        await pause(delay, signal);
      }
    }
  }

  /** One attempt with fetch. */
  async fetch(url: string, init: RequestInit): Promise<Answer> {
    const response = await (this.options.fetch ?? globalThis.fetch)(url, init);
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      text: await response.text(),
    };
  }
}

async function answered(
  attempt: Exchange,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted();
  let answer: Answer;
  try {
    answer = await attempt(headers);
  } catch (cause) {
    if (cause instanceof VitrineError) throw cause;
    throw new VitrineError({ code: 'network', message: 'There was no response from the service.', cause });
  }
  if (answer.status >= 300) throw errorOf(answer);
  return bodyOf(answer);
}

function fillPath(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // Even when encoded, these would change the path.
    if (/^\.{0,2}$/.test(value)) throw new UnaddressableError(`"${value}" is not a valid ${name}.`);
    return encodeURIComponent(value);
  });
}

function toSearch(query: object | undefined): string {
  const search = query instanceof URLSearchParams ? query : new URLSearchParams();
  if (query !== undefined && search !== query) {
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) search.set(name, toText(value));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** The API spells booleans in query strings as `1` and `0`. */
const toText = (value: unknown): string =>
  typeof value === 'boolean' ? String(Number(value)) : String(value);
