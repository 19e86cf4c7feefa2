/** s3rver has no types; these are the parts that the test server uses. */
declare module 's3rver' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  namespace S3rver {
    interface Context {
      readonly req: IncomingMessage;
      readonly res: ServerResponse;
      readonly method: string;
      readonly path: string;
      readonly query: Readonly<Record<string, string>>;
      readonly headers: IncomingMessage['headers'];
      status: number;
      type: string;
      body: unknown;
    }
    type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
  }

  class S3rver {
    constructor(options: { readonly directory: string; readonly silent: boolean });
    /** Koa's middleware; the first entry handles a request first. */
    readonly middleware: S3rver.Middleware[];
    /** The store for buckets. */
    store: unknown;
    /** The context of the routes. */
    readonly context: { store: unknown };
    callback(): RequestListener;
    readonly logger: { readonly exceptions: { unhandle(): void } };
  }
  export = S3rver;
}

declare module 's3rver/lib/models/account' {
  /** The account that signed a request; secrets of version 4 signatures are not checked. */
  class AWSAccount {
    createKeyPair(accessKeyId: string, secretAccessKey: string): void;
    static readonly DUMMY_ACCOUNT: AWSAccount;
  }
  export = AWSAccount;
}

declare module 's3rver/lib/models/error' {
  class S3Error extends Error {
    constructor(code: string, message?: string, detail?: Readonly<Record<string, unknown>>);
  }
  export = S3Error;
}

declare module 's3rver/lib/models/object' {
  import type { Readable } from 'node:stream';

  class S3Object {
    constructor(
      bucket: string,
      key: string,
      content: Readable | null,
      metadata: Readonly<Record<string, unknown>>,
    );
    readonly bucket: string;
    readonly key: string;
    readonly content: Readable;
    readonly metadata: Readonly<Record<string, string>>;
    range?: { readonly start: number; readonly end: number };
  }
  export = S3Object;
}
