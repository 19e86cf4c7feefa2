import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { GetObjectCommand, S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { untilAborted } from '@vitrine/concurrency';
import type { BucketLocation } from './storage-location';
import { StorageUnavailableError } from './storage-errors';

/** Time limits for the requests to a bucket, in milliseconds. */
export interface S3Timeouts {
  /** To open a connection. */
  readonly connectMs: number;
  /** Without a byte in either direction on an open connection. */
  readonly idleMs: number;
  /** For one attempt of a request without a body. */
  readonly answerMs: number;
  /** For all attempts of a request without a body. */
  readonly callMs: number;
  /** For one attempt of a request with a body of up to 5 MiB. */
  readonly transferMs: number;
  /** For all attempts of a request with a body. */
  readonly transferCallMs: number;
  /** To wait for an upload slot. */
  readonly turnMs: number;
}

export const DEFAULT_TIMEOUTS: S3Timeouts = {
  connectMs: 1_900,
  idleMs: 10_000,
  answerMs: 5_000,
  callMs: 10_000,
  transferMs: 12_000,
  transferCallMs: 30_000,
  turnMs: 10_000,
};

/** Attempts of a request. The SDK's standard mode makes random, growing pauses between them. */
const MAX_ATTEMPTS = 3;
/** Connections for all requests except reads of objects. */
const CALL_SOCKETS = 64;
/**
 * Connections for reads of objects; a slow reader may hold one for a long time. The number covers the default of
 * `MAX_CONCURRENT_FILES`. If all are in use, reads wait for one.
 */
const READ_SOCKETS = 1024;

/** Kind of a request, which decides its time limits: without a body, or with one. */
export type CallKind = 'answer' | 'transfer';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Options of each request to the SDK. */
export interface CallOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/** Errors about an object, not about the storage. Callers handle them. */
const ABOUT_THE_OBJECT: ReadonlySet<string> = new Set([
  'NoSuchKey',
  'NotFound',
  'NoSuchUpload',
  'PreconditionFailed',
  'ConditionalRequestConflict',
  'InvalidRange',
]);

/** Errors of stores that lack a feature. Callers then do without the feature. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['NotImplemented', 'MissingContentMD5']);

/** An object's place in a bucket. */
export interface ObjectAddress {
  readonly Bucket: string;
  readonly Key: string;
}

/** How a request is sent. */
export interface CallSettings {
  readonly kind?: CallKind;
  readonly signal?: AbortSignal;
  /** Name of an error that the caller of this request handles; for other requests it is an outage. */
  readonly handledError?: string;
}

/** The connections to a bucket. Every request has a time limit, and its errors are converted. */
export class S3Calls {
  private readonly calls: S3Client;
  private readonly reads: S3Client;

  constructor(
    location: BucketLocation,
    /** Undefined: the SDK finds them, for example from the role of the pod or the machine. */
    credentials: Credentials | undefined,
    private readonly timeouts: S3Timeouts,
  ) {
    const client = (sockets: number): S3Client =>
      new S3Client({
        region: location.region,
        forcePathStyle: location.pathStyle,
        ...(location.endpoint !== null && { endpoint: location.endpoint }),
        ...(credentials && { credentials }),
        maxAttempts: MAX_ATTEMPTS,
        // Bodies are signed with their SHA-256, which every store verifies. Not every store supports trailing checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: connections(sockets, timeouts),
      });
    this.calls = client(CALL_SOCKETS);
    this.reads = client(READ_SOCKETS);
  }

  /**
   * Sends a request, with further attempts where that is safe. Throws `StorageUnavailableError`, or the SDK's own exception
   * for an error about the object (see `refusalOf`).
   */
  call<Output>(
    what: string,
    send: (client: S3Client, options: CallOptions) => Promise<Output>,
    settings: CallSettings = {},
  ): Promise<Output> {
    return this.inTime(what, (options) => send(this.calls, options), settings);
  }

  /** Like `call`, for reads of an object. The time limit ends with the first bytes. */
  read<Output>(
    what: string,
    send: (client: S3Client, options: CallOptions) => Promise<Output>,
  ): Promise<Output> {
    return this.inTime(what, (options) => send(this.reads, options), {});
  }

  /**
   * Returns the path, without its first slash, and the query of a request that may read an object for `seconds` from
   * now on.
   */
  async signRead(target: ObjectAddress, seconds: number): Promise<string> {
    const url = await getSignedUrl(this.reads, new GetObjectCommand(target), { expiresIn: seconds });
    const { pathname, search } = new URL(url);
    return pathname.slice(1) + search;
  }

  close(): void {
    this.calls.destroy();
    this.reads.destroy();
  }

  private async inTime<Output>(
    what: string,
    send: (options: CallOptions) => Promise<Output>,
    { kind = 'answer', signal, handledError }: CallSettings,
  ): Promise<Output> {
    const { answerMs, callMs, transferMs, transferCallMs } = this.timeouts;
    const [attemptMs, allMs] = kind === 'answer' ? [answerMs, callMs] : [transferMs, transferCallMs];
    const end = new AbortController();
    const stop = (): void =>
      end.abort(Object.assign(new Error('No response in time'), { name: 'TimeoutError' }));
    const timer = setTimeout(stop, allMs);
    signal?.addEventListener('abort', stop);
    try {
      if (signal?.aborted) stop();
      // The SDK ignores the signal in its pauses between attempts.
      return await untilAborted(send({ abortSignal: end.signal, requestTimeout: attemptMs }), end.signal);
    } catch (error) {
      throw convertError(what, error, handledError);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** Name of the bucket's error about an object; null for any other error. */
export function refusalOf(error: unknown): string | null {
  return error instanceof S3ServiceException ? error.name : null;
}

function connections(
  maxSockets: number,
  { connectMs, idleMs }: S3Timeouts,
): S3ClientConfig['requestHandler'] {
  const agent = { keepAlive: true, maxSockets };
  return {
    httpAgent: new HttpAgent(agent),
    httpsAgent: new HttpsAgent(agent),
    connectionTimeout: connectMs,
    socketTimeout: idleMs,
    // Without this option a late response only causes a warning.
    throwOnRequestTimeout: true,
    // The SDK would write its warnings to the console instead of our log.
    logger: SILENT,
  };
}

const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing, trace: nothing };

function nothing(): void {
  // Discards the SDK's log.
}

/**
 * Converts an error of the SDK. The original holds requests, responses and key ids, which must not get into logs, so only
 * name, status and the bucket's request id are kept.
 */
function convertError(what: string, error: unknown, handledError?: string): unknown {
  if (error instanceof StorageUnavailableError) return error;
  if (error instanceof S3ServiceException) {
    if (ABOUT_THE_OBJECT.has(error.name) || UNSUPPORTED.has(error.name) || error.name === handledError)
      return withoutExtras(error);
    const { httpStatusCode, requestId } = error.$metadata;
    const id = requestId ? ` (request ${requestId})` : '';
    return new StorageUnavailableError(
      `S3 refused to ${what}: ${error.name}, status ${httpStatusCode ?? '?'}${id}`,
    );
  }
  // A bug in our code, not an error of the network.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return error;
  const { name, code } = error as NodeJS.ErrnoException;
  return new StorageUnavailableError(`S3 did not respond to ${what}: ${code ?? name}`);
}

function withoutExtras(error: S3ServiceException): S3ServiceException {
  const { name, $fault, $metadata, message } = error;
  return new S3ServiceException({ name, $fault, $metadata, message });
}
