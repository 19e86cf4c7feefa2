/** The HTTP status of each error code that the test server answers with. */
const STATUS = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidPart: 400,
  InvalidRange: 416,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
} as const;

/** An error that S3 answers with. */
export class S3Error extends Error {
  readonly status: number;

  constructor(readonly code: keyof typeof STATUS) {
    super(code);
    this.status = STATUS[code];
  }
}
