import { MULTIPART_TYPE, multipart, type Part } from './raw-http';
import { png } from './samples';
import { type Account, startUploadHost, type UploadHost } from './upload-host';

/** The fields of the `data` of an answer that the tests use. */
export interface DialectData {
  readonly id: string;
  readonly deletehash: string;
  readonly delete_url: string;
  readonly images: readonly { readonly id: string }[];
}

export interface DialectAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Only matchers read the answers.
  readonly body: Readonly<Record<string, Record<string, string>>> & { readonly data: DialectData };
}

export interface DialectRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Sends a request as a program of another host does; `body` is the JSON of the answer, if it is JSON. */
export async function ask(
  host: UploadHost,
  path: string,
  { method = 'POST', headers = {}, body }: DialectRequest = {},
): Promise<DialectAnswer> {
  const response = await fetch(host.url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as DialectAnswer['body'],
  };
}

/** The headers and the body of a multipart request. */
export const form = (...parts: readonly Part[]): { headers: Record<string, string>; body: Uint8Array } => ({
  headers: { 'Content-Type': MULTIPART_TYPE },
  body: new Uint8Array(multipart(...parts)),
});

/** The picture that the programs upload. */
export const PICTURE = png(40, 30);

/** Largest size of a file on the host of `startDialectHost`, in bytes. */
export const LIMIT = 256 * 1024;

export const SLUG: unknown = expect.stringMatching(/^[A-Za-z0-9]{7}$/);
export const ORIGINAL: unknown = expect.stringMatching(/^http:\/\/cdn\.test\/f\/[A-Za-z0-9]{7}\.png$/);
export const PAGE: unknown = expect.stringMatching(/^http:\/\/site\.test\/m\/[A-Za-z0-9]{7}$/);
export const DELETION: unknown = expect.stringMatching(/^http:\/\/upload\.test\/d\/[A-Za-z0-9]{29}$/);

/** A host that speaks all dialects, with an account, for the tests of a file. */
export function useDialectHost() {
  let host: UploadHost;
  let account: Account;
  beforeAll(async () => {
    host = await startUploadHost({
      MAX_FILE_BYTES: String(LIMIT),
      PUBLIC_UPLOAD_URL: 'http://upload.test/api/v1/media',
    });
    account = await host.createAccount();
  });
  afterAll(() => host.close());
  return {
    get host() {
      return host;
    },
    get account() {
      return account;
    },
    ask: (path: string, request?: DialectRequest): Promise<DialectAnswer> => ask(host, path, request),
    /** The columns with the owner of a media item; undefined if the media item is deleted. */
    rowOf: async (slug: string): Promise<unknown> =>
      (await host.database.query('select user_id, unlisted from media where slug = $1', [slug])).rows[0],
  };
}

export const withToken = (authorization: string, { headers, ...rest }: DialectRequest): DialectRequest => ({
  ...rest,
  headers: { ...headers, Authorization: authorization },
});

/** A form with one file, by default the picture. */
export const filePart = (name: string, body: Uint8Array | string = PICTURE): DialectRequest =>
  form({ name, filename: 'a.png', body });
