import type { MediaResource } from '@vitrine/contracts/api';
import { eventually } from '@vitrine/testing';
import { assertDocumented } from './openapi';
import { MULTIPART_TYPE, multipart, type Part } from './raw-http';
import type { UploadHost } from './upload-host';

/** Path of the upload endpoint. */
export const UPLOAD_PATH = '/api/v1/media';

export interface UploadAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Only matchers read the answers.
  readonly body: Record<string, unknown> & { media: MediaResource };
}

/** Uploads to one host with one token, or with none; each answer must match the OpenAPI document. */
export class Uploads {
  constructor(
    private readonly host: UploadHost,
    private readonly token: string | null,
  ) {}

  /** Sends a body, by default with this token; null sends none. */
  async post(
    body: Uint8Array | string,
    headers: Readonly<Record<string, string>> = {},
    token: string | null = this.token,
  ): Promise<UploadAnswer> {
    const response = await fetch(this.host.url + UPLOAD_PATH, {
      method: 'POST',
      body: body as Uint8Array<ArrayBuffer>,
      headers: {
        'Content-Type': MULTIPART_TYPE,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const { status, headers: received } = response;
    const text = await response.text();
    assertDocumented('POST', UPLOAD_PATH, { status, headers: received, body: text });
    return { status, headers: received, body: JSON.parse(text) as UploadAnswer['body'] };
  }

  /** Sends a file as the only part. */
  file(body: Uint8Array, part: Partial<Part> = {}): Promise<UploadAnswer> {
    return this.post(multipart({ name: 'file', filename: 'a.bin', ...part, body }));
  }

  /** What a refused or aborted upload must not change. Waits until no upload has a scratch file. */
  async footprint() {
    await eventually(async () => expect(await this.host.scratchFiles()).toEqual([]));
    return { stored: (await this.host.storedFiles()).length, media: await this.host.countMedia() };
  }
}
