import type { SampleFile } from './sample-files';

/** Addresses of one running Vitrine. */
export interface Addresses {
  readonly api: string;
  readonly upload: string;
}

/** What a request came to: an HTTP status, or that there was no whole answer. */
export type Outcome<Body> =
  | { readonly status: number; readonly body: Body | undefined }
  | { readonly status: 'no answer'; readonly body: undefined };

export interface UploadedMedia {
  readonly slug: string;
  readonly processed: boolean;
  readonly moderation_status: string;
  readonly processing_error: string | null;
  readonly urls: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 30_000;

/** A third party's client, with the one account of the run. */
export class VitrineClient {
  private token = '';

  constructor(private readonly addresses: Addresses) {}

  /** Makes the account and its API token. Throws where the API refuses. */
  async signUp(username: string, password: string): Promise<void> {
    const registered = await this.json<{ session: string }>('POST', '/auth/register', { username, password });
    this.token = expectBody(registered, 201).session;
    const minted = await this.json<{ token: string }>('POST', '/tokens', { name: 'chaos' });
    this.token = expectBody(minted, 201).token;
  }

  upload(file: SampleFile): Promise<Outcome<{ media: UploadedMedia }>> {
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(file.bytes)]), file.name);
    return this.send(this.addresses.upload, { method: 'POST', body: form });
  }

  read(slug: string): Promise<Outcome<{ data: UploadedMedia }>> {
    return this.json('GET', `/media/${slug}`);
  }

  delete(slug: string): Promise<Outcome<unknown>> {
    return this.json('DELETE', `/media/${slug}`);
  }

  private json<Body>(method: string, path: string, body?: object): Promise<Outcome<Body>> {
    return this.send(this.addresses.api + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  }

  private async send<Body>(url: string, init: RequestInit): Promise<Outcome<Body>> {
    try {
      const response = await fetch(url, {
        ...init,
        headers: { ...init.headers, ...(this.token && { Authorization: `Bearer ${this.token}` }) },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      return { status: response.status, body: text ? (JSON.parse(text) as Body) : undefined };
    } catch {
      return { status: 'no answer', body: undefined };
    }
  }
}

function expectBody<Body>({ status, body }: Outcome<Body>, expected: number): Body {
  if (status !== expected || body === undefined) {
    throw new Error(`The API answered ${status} ${JSON.stringify(body)} where ${expected} was expected`);
  }
  return body;
}
