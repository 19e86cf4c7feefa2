import { VitrineClient, VitrineError } from '@vitrine/client';

/** Addresses of one running Vitrine. */
export interface Addresses {
  readonly api: string;
  readonly upload: string;
  readonly site: string;
}

/** The outcome of a request. */
export interface RequestOutcome<Body = unknown> {
  /** `done` after a success, the HTTP status of another answer, or that there was no complete answer. */
  readonly status: 'done' | number | 'no answer';
  readonly body?: Body;
  /** Seconds of the answer's `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number;
  /** Why the request was refused, or why there was no answer. */
  readonly reason?: string;
}

export const PASSWORD = 'a password of the chaos harness';
const PATIENCE_MS = 30_000;

/** Whether a request was refused with 503 and Retry-After, the promised answer while an engine is unreachable. */
export const isTemporaryRefusal = ({ status, retryAfter }: RequestOutcome): boolean =>
  status === 503 && retryAfter !== undefined;

export const describeOutcome = ({ status, reason }: RequestOutcome): string =>
  `${status} ${reason ?? ''}`.trim();

/** A client without an account, which sends each request once and waits `patienceMs` for its answer. */
export const clientOf = ({ api, upload }: Addresses, patienceMs = PATIENCE_MS): VitrineClient =>
  new VitrineClient({
    baseUrl: api,
    uploadUrl: upload,
    retry: false,
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) }),
  });

/** Creates an account with an API token. Returns its client. */
export async function signUp(
  addresses: Addresses,
  username = 'chaos',
  patienceMs = PATIENCE_MS,
): Promise<VitrineClient> {
  const client = clientOf(addresses, patienceMs);
  const { session } = await client.auth.register({ username, password: PASSWORD });
  const { token } = await client
    .withToken(session)
    .tokens.create({ name: 'chaos', current_password: PASSWORD });
  return client.withToken(token);
}

/** The outcome of a request of a client. */
export async function outcomeOf<Body>(request: Promise<Body>): Promise<RequestOutcome<Body>> {
  const began = Date.now();
  try {
    return { status: 'done', body: await request, took: Date.now() - began };
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error;
    const { status = 'no answer', retryAfter, message } = error;
    return { status, retryAfter, took: Date.now() - began, reason: withCauses(message, error.cause) };
  }
}

export interface OpenedFile {
  readonly bytes: Buffer;
  readonly headers: Headers;
}

/** Opens a file or a page without an account. */
export async function open(url: string | URL, patienceMs = PATIENCE_MS): Promise<RequestOutcome<OpenedFile>> {
  const began = Date.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { headers, status } = response;
    const retryAfter = Number(headers.get('retry-after')) || undefined;
    const took = Date.now() - began;
    return { status: status === 200 ? 'done' : status, body: { bytes, headers }, retryAfter, took };
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: 'no answer', took: Date.now() - began, reason: withCauses(message, cause) };
  }
}

const withCauses = (message: string, cause: unknown): string =>
  cause instanceof Error ? `${message}: ${withCauses(cause.message, cause.cause)}` : message;
