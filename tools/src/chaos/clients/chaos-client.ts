import type { SampleFile } from './sample-files';

/** Addresses of one running Vitrine. */
export interface Addresses {
  readonly api: string;
  readonly upload: string;
  readonly site: string;
}

/** The outcome of a request: an HTTP status, or that there was no complete answer. */
export interface RequestOutcome<Body> {
  readonly status: number | 'no answer';
  readonly body: Body | undefined;
  /** Seconds of the answer's `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number;
  /** Why there was no answer. */
  readonly reason?: string;
}

export interface UploadedMedia {
  readonly id: number;
  readonly slug: string;
  readonly processed: boolean;
  readonly moderation_status: string;
  readonly processing_error: string | null;
  readonly urls: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 30_000;

/**
 * Whether a request was refused with 503 and Retry-After, which is the promised answer while an engine is
 * unreachable.
 */
export const isTemporaryRefusal = ({ status, retryAfter }: RequestOutcome<unknown>): boolean =>
  status === 503 && retryAfter !== undefined;

/** A client of the public API, with the account of the run. */
export class ChaosClient {
  private token = '';

  constructor(
    private readonly addresses: Addresses,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Creates the account and its API token. Throws when the API refuses. */
  async signUp(username: string, password: string): Promise<void> {
    const registered = await this.json<{ session: string }>('POST', '/auth/register', { username, password });
    this.token = expectBody(registered, 201).session;
    const minted = await this.json<{ token: string }>('POST', '/tokens', {
      name: 'chaos',
      current_password: password,
    });
    this.token = expectBody(minted, 201).token;
  }

  /** The header for requests that a scenario sends itself. */
  get authorization(): Readonly<Record<string, string>> {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  upload(file: SampleFile): Promise<RequestOutcome<{ media: UploadedMedia }>> {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(file.bytes)]), file.name);
    return this.send(this.addresses.upload, { method: 'POST', body: form });
  }

  read(slug: string): Promise<RequestOutcome<{ data: UploadedMedia }>> {
    return this.json('GET', `/media/${slug}`);
  }

  delete(slug: string): Promise<RequestOutcome<unknown>> {
    return this.json('DELETE', `/media/${slug}`);
  }

  /** Sends a request to the API; the path is what follows `/api/v1`. */
  json<Body>(method: string, path: string, body?: object): Promise<RequestOutcome<Body>> {
    return this.send(this.addresses.api + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  }

  private async send<Body>(url: string, init: RequestInit): Promise<RequestOutcome<Body>> {
    const began = Date.now();
    try {
      const response = await fetch(url, {
        ...init,
        headers: { ...init.headers, ...this.authorization },
        signal: AbortSignal.timeout(this.patienceMs),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text ? (JSON.parse(text) as Body) : undefined,
        retryAfter: Number(response.headers.get('retry-after') ?? Number.NaN) || undefined,
        took: Date.now() - began,
      };
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      return {
        status: 'no answer',
        body: undefined,
        retryAfter: undefined,
        took: Date.now() - began,
        reason,
      };
    }
  }
}

function expectBody<Body>({ status, body }: RequestOutcome<Body>, expected: number): Body {
  if (status !== expected || body === undefined) {
    throw new Error(`The API answered ${status} ${JSON.stringify(body)} instead of ${expected}`);
  }
  return body;
}
