import { OPERATIONS } from './api-operations';
import type { operations } from './api-types';
import { randomHex } from './random-hex';
import { pause, retryDelay, type RetryOptions, type RetryPolicy, retryPolicy } from './retry';
import { type Answer, bodyOf, errorOf, UnaddressableError, VitrineError } from './vitrine-error';

export type OperationId = keyof operations & keyof typeof OPERATIONS;

/** Whatever a method takes besides what the API itself does. */
export interface CallOptions {
  /** Ends the request, and the waiting between tries. */
  readonly signal?: AbortSignal | undefined;
  /** For POSTs; made up where absent, so that a repeated try is carried out once. */
  readonly idempotencyKey?: string | undefined;
}

/** The key of somebody else's private post. */
export interface AccessKeyQuery {
  readonly key?: string | undefined;
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type Parameters<Id extends OperationId> = operations[Id]['parameters'];

/** The body of an operation's good answer. */
export type AnswerOf<Id extends OperationId> = Json<Responses<Id>[keyof Responses<Id>]>;
/** The query parameters of an operation; its flags as booleans. */
export type QueryOf<Id extends OperationId> = Friendly<NonNullable<Parameters<Id>['query']>>;
type Friendly<Query> = { readonly [Name in keyof Query]: Flag<Query[Name]> };
type Flag<Value> = '1' extends Value ? (string extends Value ? Value : boolean | undefined) : Value;
/** The JSON body of an operation's request. */
export type BodyOf<Id extends OperationId> = Readonly<Json<NonNullable<operations[Id]['requestBody']>>>;
type PathOf<Id extends OperationId> = NonNullable<Parameters<Id>['path']>;

/** What an operation is asked with; what it doesn't take can't be given. */
export type Ask<Id extends OperationId> = {
  readonly path?: Readonly<Record<keyof PathOf<Id>, string | number>>;
  readonly query?: QueryOf<Id> | URLSearchParams;
  readonly body?: BodyOf<Id>;
};

/** As much of the platform's `fetch` as the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<FetchedAnswer>;

/** As much of a `Response` as the client reads; the body is asked for once. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  text(): Promise<string>;
}

export interface TransportOptions {
  /** Address of all endpoints but the upload; it ends in `/api/v1`. */
  readonly baseUrl: string;
  /** Address of the upload endpoint; it ends in `/api/v1/media`. */
  readonly uploadUrl?: string | undefined;
  /** API token (`vtr_…`), session (`vts_…`), a guest's token (`vtg_…`), or a ticket (`vtu_…`). */
  readonly token?: string | undefined;
  /** Sent with every request to both addresses, besides the client's own, which can't be given here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the platform's own. */
  readonly fetch?: Fetch | undefined;
  /** `false`: each request is made once. */
  readonly retry?: RetryOptions | false | undefined;
}

const OWN_HEADERS = /^(?:accept|authorization|content-length|content-type|idempotency-key)$/i;

/** One try of a request. It rejects where there is no whole answer. */
export type Exchange = (headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Takes requests to the two hosts, again where that helps, and brings back their answers' bodies. */
export class Transport {
  private readonly policy: RetryPolicy;
  private readonly baseUrl: string;

  constructor(readonly options: TransportOptions) {
    this.baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
    for (const name of Object.keys(options.headers ?? {})) {
      // Sent twice, a header's values would be joined into one that means neither.
      if (OWN_HEADERS.test(name)) throw new TypeError(`The client sets ${name} itself.`);
    }
    this.policy = retryPolicy(options.retry);
  }

  /** Carries out one operation. Throws `VitrineError`, `UnaddressableError`, or the reason of the signal. */
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

  /** Makes tries until one is answered for good, and gives the body of a good answer. `once` forbids a second try. */
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
    for (let tries = 1; ; tries++) {
      try {
        return await answered(attempt, headers, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const delay = once ? undefined : retryDelay(error, tries, repeatable, this.policy);
        if (delay === undefined) throw error;
        await pause(delay, signal);
      }
    }
  }

  /** One try by fetch. */
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
    throw new VitrineError({ code: 'network', message: 'There was no answer from the service.', cause });
  }
  if (answer.status >= 300) throw errorOf(answer);
  return bodyOf(answer);
}

function fillPath(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // These would name another address, even when they are encoded.
    if (/^\.{0,2}$/.test(value)) throw new UnaddressableError(`"${value}" is no ${name}.`);
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

/** The API says yes as `1` and no as `0`. */
const toText = (value: unknown): string =>
  typeof value === 'boolean' ? String(Number(value)) : String(value);
