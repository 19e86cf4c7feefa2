import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import type { BucketLocation } from './storage-location';
import { StorageUnavailableError } from './storage-errors';

/** How patient we are with a bucket; milliseconds. */
export interface S3Patience {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Without a byte either way, once it stands. */
  readonly idleMs: number;
  /** For one try of a request without a body. */
  readonly answerMs: number;
  /** For all tries of one. */
  readonly callMs: number;
  /** For one try of a request that brings up to 5 MiB. */
  readonly transferMs: number;
  /** For all tries of one. */
  readonly transferCallMs: number;
  /** For a turn to bring a file, while others bring theirs. */
  readonly turnMs: number;
}

export const USUAL_PATIENCE: S3Patience = {
  connectMs: 1_900,
  idleMs: 10_000,
  answerMs: 5_000,
  callMs: 10_000,
  transferMs: 12_000,
  transferCallMs: 30_000,
  turnMs: 10_000,
};

/** A request is tried so often; pauses between grow at random (the SDK's standard mode), and end in an outage. */
const TRIES = 3;
/** Connections for everything but bodies on their way out. */
const CALL_SOCKETS = 64;
/**
 * Connections for bodies on their way out: each viewer who reads slowly may hold one for a while. As many as the files
 * that a process gives out at a time unless told otherwise (`MAX_CONCURRENT_FILES`); beyond that, reads wait for one.
 */
const READ_SOCKETS = 1024;

/** What a request may take in time. */
export type CallKind = 'answer' | 'transfer';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What is handed to the SDK with each request. */
export interface CallOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/** Refusals that say something about an object rather than about the storage; callers know what they mean. */
const ABOUT_THE_OBJECT: ReadonlySet<string> = new Set([
  'NoSuchKey',
  'NotFound',
  'NoSuchUpload',
  'PreconditionFailed',
  'ConditionalRequestConflict',
  'InvalidRange',
]);

/** Refusals of what not every store can; callers know another way. */
const NOT_SPOKEN: ReadonlySet<string> = new Set(['NotImplemented', 'MissingContentMD5']);

export interface CallManner {
  readonly kind?: CallKind;
  readonly signal?: AbortSignal;
  /** A refusal that is an outage to others, and to which the caller of this request knows another way. */
  readonly otherwiseOn?: string;
}

/** The connections to a bucket: every request goes through here, with an end in sight and its errors named. */
export class S3Calls {
  private readonly calls: S3Client;
  private readonly reads: S3Client;

  constructor(
    location: BucketLocation,
    /** Undefined: wherever the SDK finds some (a role of the pod or the machine). */
    credentials: Credentials | undefined,
    private readonly patience: S3Patience,
  ) {
    const client = (sockets: number): S3Client =>
      new S3Client({
        region: location.region,
        forcePathStyle: location.pathStyle,
        ...(location.endpoint !== null && { endpoint: location.endpoint }),
        ...(credentials && { credentials }),
        maxAttempts: TRIES,
        // Bodies are signed with their SHA-256, which every store verifies; trailing checksums not every one reads.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: connections(sockets, patience),
      });
    this.calls = client(CALL_SOCKETS);
    this.reads = client(READ_SOCKETS);
  }

  /**
   * Runs one request, tried again where that is safe. Throws `StorageUnavailableError`, and the SDK's own exception
   * where the bucket refuses something about the object (see `refusalOf`).
   */
  call<Output>(
    what: string,
    send: (client: S3Client, options: CallOptions) => Promise<Output>,
    manner: CallManner = {},
  ): Promise<Output> {
    return this.inTime(what, (options) => send(this.calls, options), manner);
  }

  /** As `call`, for what answers with an object's bytes: in time are the first of them. */
  read<Output>(
    what: string,
    send: (client: S3Client, options: CallOptions) => Promise<Output>,
  ): Promise<Output> {
    return this.inTime(what, (options) => send(this.reads, options), {});
  }

  close(): void {
    this.calls.destroy();
    this.reads.destroy();
  }

  private async inTime<Output>(
    what: string,
    send: (options: CallOptions) => Promise<Output>,
    { kind = 'answer', signal, otherwiseOn }: CallManner,
  ): Promise<Output> {
    const { answerMs, callMs, transferMs, transferCallMs } = this.patience;
    const [tryMs, allMs] = kind === 'answer' ? [answerMs, callMs] : [transferMs, transferCallMs];
    const end = new AbortController();
    const stop = (): void => end.abort();
    const timer = setTimeout(stop, allMs);
    signal?.addEventListener('abort', stop);
    try {
      if (signal?.aborted) stop();
      // The SDK's pauses between tries don't look at the signal.
      return await Promise.race([
        send({ abortSignal: end.signal, requestTimeout: tryMs }),
        rejectingOnAbort(end.signal),
      ]);
    } catch (error) {
      throw named(what, error, otherwiseOn);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** The bucket's word for why it refused something about an object; null for any other error. */
export function refusalOf(error: unknown): string | null {
  return error instanceof S3ServiceException ? error.name : null;
}

function connections(
  maxSockets: number,
  { connectMs, idleMs }: S3Patience,
): S3ClientConfig['requestHandler'] {
  const agent = { keepAlive: true, maxSockets };
  return {
    httpAgent: new HttpAgent(agent),
    httpsAgent: new HttpsAgent(agent),
    connectionTimeout: connectMs,
    socketTimeout: idleMs,
    // Without it a late answer is only warned of.
    throwOnRequestTimeout: true,
    // Its warnings would go to the console past our log; the metric of operations says more.
    logger: SILENT,
  };
}

const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing, trace: nothing };

function nothing(): void {
  // On purpose.
}

const rejectingOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => reject(Object.assign(new Error('No answer in time'), { name: 'TimeoutError' }));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });

/**
 * The SDK's errors carry requests, answers and key ids along, which have no business in a log: name, status and the
 * bucket's id of the request go on.
 */
function named(what: string, error: unknown, otherwiseOn?: string): unknown {
  if (error instanceof StorageUnavailableError) return error;
  if (error instanceof S3ServiceException) {
    if (ABOUT_THE_OBJECT.has(error.name) || NOT_SPOKEN.has(error.name) || error.name === otherwiseOn)
      return withoutExtras(error);
    const { httpStatusCode, requestId } = error.$metadata;
    const id = requestId ? ` (request ${requestId})` : '';
    return new StorageUnavailableError(
      `S3 refused to ${what}: ${error.name}, status ${httpStatusCode ?? '?'}${id}`,
    );
  }
  // Of ours, not of the network.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return error;
  const { name, code } = error as NodeJS.ErrnoException;
  return new StorageUnavailableError(`S3 does not answer to ${what}: ${code ?? name}`);
}

function withoutExtras(error: S3ServiceException): S3ServiceException {
  const { name, $fault, $metadata, message } = error;
  return new S3ServiceException({ name, $fault, $metadata, message });
}
