import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { attachment } from '@vitrine/contracts';
import { NotFoundError } from '@vitrine/domain';
import { Overload, SECURITY_HEADERS, transportSecurity } from '@vitrine/http';
import { type FollowedRequest, onRequestEnd, PublicUrlsConfig } from '@vitrine/runtime';
import {
  type ByteRange,
  type HoldPurpose,
  ObjectChangedError,
  type ObjectInfo,
  ObjectNotFoundError,
  type Pieces,
} from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';
import { cacheHeaders } from './cache-headers';
import { FILES_PREFIX } from './file-name';
import type { ServedFile } from './files.service';
import { type HotObject, HotObjects, type OpenObject } from './hot-objects';
import { isUnconditional, matchesAny, matchesStrictly, rangeApplies, readRange } from './http-preconditions';
import type { PictureClass } from './picture-class';
import { orderTo, SendingProxy } from './sending-proxy';
import { ReaderGoneError, type ReaderPace, send, sendBytes } from './send';

/** Files come from untrusted uploaders: the sandbox lets nothing in them run, and every site may show them. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id',
} as const;

/** The headers of each answer of the file host, besides `Cache-Control`. */
export function fileHostHeaders(urls: PublicUrlsConfig): Readonly<Record<string, string>> {
  const { 'Cache-Control': _, ...security } = SECURITY_HEADERS;
  return { ...security, ...transportSecurity(urls), ...FILE_HEADERS };
}

/** Seconds during which a reader's rate isn't checked, because networks pause. */
const GRACE_SECONDS = 10;

/** The object of a file that may be served does not exist. */
export class ObjectMissingError extends NotFoundError {}

/** What a request asks for. */
export interface AskedFile {
  /** The path below `/f/`. */
  readonly name: string;
  /** The title under which the browser saves the file instead of showing it: `?download=<title>`. Null: it shows it. */
  readonly download: string | null;
  /** The class of the client. Null for a download, which has the type of its name, because it is stored under it. */
  readonly pictures: PictureClass | null;
}

/** A request for a file, and its answer. */
export interface FileExchange {
  readonly asked: AskedFile;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly followed: FollowedRequest;
}

/** Answers requests for files that may be served: headers, conditions, ranges and bytes. */
@Injectable()
export class FileSender {
  private readonly logger = new Logger(FileSender.name);
  private readonly pace: ReaderPace;
  private readonly sharedMaxAgeSeconds: number;
  /** Names and values in turn. */
  private readonly common: readonly string[];

  constructor(
    private readonly objects: HotObjects,
    private readonly proxy: SendingProxy,
    config: UploadConfig,
    overload: Overload,
    urls: PublicUrlsConfig,
  ) {
    this.common = Object.entries(fileHostHeaders(urls)).flat();
    this.sharedMaxAgeSeconds = config.fileSharedMaxAgeSeconds;
    this.pace = {
      idleSeconds: config.fileIdleSeconds,
      minBytesPerSecond: config.fileMinBytesPerSecond,
      graceSeconds: GRACE_SECONDS,
      isCrowded: () => overload.isCrowded(FILES_PREFIX),
    };
  }

  /**
   * Sends the whole response to a `GET` or `HEAD`. Throws `ObjectMissingError` if the object does not exist any more.
   */
  async send(file: ServedFile, exchange: FileExchange): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendObject(file, exchange);
      } catch (error) {
        // The object was replaced between two reads; its replacement is served instead.
        if (!(error instanceof ObjectChangedError) || exchange.response.headersSent || attempt === 3)
          throw error;
      }
    }
  }

  /** Answers an unconditional `GET` with an object that is in memory. */
  sendHot(file: ServedFile, hot: HotObject, exchange: FileExchange): void {
    const { asked, request, response } = exchange;
    this.begin(200, this.ownFieldsOf(file, asked.name, hot.info, request), exchange, hot.info.size);
    onRequestEnd(request, response, this.objects.use(hot));
    sendBytes(hot.bytes, this.objects.pieceBytes, response, this.pace);
  }

  /**
   * The headers of nginx's decision on a plain request for a file. Those that all files have are in nginx's configuration.
   * Throws if the object does not exist.
   */
  async decide(
    file: ServedFile,
    name: string,
    request: IncomingMessage,
  ): Promise<Readonly<Record<string, string>>> {
    const info = await this.objects.findInfo(file.storedKey);
    return this.proxy.decisionOn(info, this.ownFieldsOf(file, name, info, request));
  }

  /** The headers of an answer that depend on the file, without its length. */
  private ownFieldsOf(
    file: ServedFile,
    name: string,
    info: ObjectInfo,
    request: IncomingMessage,
  ): Readonly<Record<string, string>> {
    return {
      'Content-Type': file.mime,
      ...cacheHeaders(file, request, name, this.sharedMaxAgeSeconds),
      ETag: file.etagOf(info),
      'Accept-Ranges': 'bytes',
    };
  }

  /** Writes the head of an answer at once: to set its headers one by one costs more processor time. `bytes`: of its body. */
  private begin(
    status: number,
    own: Readonly<Record<string, string>>,
    { response, followed }: FileExchange,
    bytes: number | null = null,
  ): void {
    const fields = ['X-Request-Id', followed.id, ...this.common];
    for (const name in own) fields.push(name, own[name]!);
    if (bytes !== null) fields.push('Content-Length', String(bytes));
    followed.bytes = bytes;
    response.writeHead(status, fields);
  }

  private async sendObject(file: ServedFile, exchange: FileExchange): Promise<void> {
    const object = await this.hold(file, this.proxy.isOn ? 'look' : purposeOf(exchange.request));
    try {
      await this.answer(file, object, exchange);
    } finally {
      await object.close();
    }
  }

  /** Begins the answer only once the bytes can be read, so that an error response never carries the file's headers. */
  private async answer(file: ServedFile, object: OpenObject, exchange: FileExchange): Promise<void> {
    const { asked, request, response } = exchange;
    const { info } = object;
    const etag = file.etagOf(info);
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    const replaced = !matchesStrictly(ifMatch, etag);
    const known = !replaced && ifNoneMatch !== undefined && matchesAny(ifNoneMatch, etag);
    const range = replaced || known ? undefined : rangeOf(request, etag, info.size);
    const wanted = !replaced && !known && range !== 'unsatisfiable' && request.method !== 'HEAD';
    const internal = wanted
      ? await this.proxy.addressFor(file.storedKey, request, range !== undefined)
      : null;
    const bytes = wanted && internal === null ? await object.read(range) : null;
    const own: Record<string, string> = {
      ...this.ownFieldsOf(file, asked.name, info, request),
      // The name belongs to a file that was found, so it needs no quoting.
      ...(asked.download !== null && {
        'Content-Disposition': attachment(asked.name, asked.download, asked.name.split('.')[1]),
      }),
    };
    if (internal !== null) {
      this.begin(200, orderTo(internal, info, own), exchange);
    } else if (known) {
      this.begin(304, own, exchange);
    } else if (replaced || range === 'unsatisfiable') {
      delete own['ETag'];
      own['Cache-Control'] = 'no-store';
      if (!replaced) own['Content-Range'] = `bytes */${info.size}`;
      this.begin(replaced ? 412 : 416, own, exchange, 0);
    } else if (range) {
      own['Content-Range'] = `bytes ${range.from}-${range.to}/${info.size}`;
      this.begin(206, own, exchange, range.to - range.from + 1);
    } else {
      this.begin(200, own, exchange, info.size);
    }
    if (bytes) await this.sendAll(bytes, response);
    else response.end();
  }

  private hold(file: ServedFile, purpose: HoldPurpose): Promise<OpenObject> {
    return this.objects.hold(file, purpose).catch((error: unknown) => {
      // During a deletion the row exists for a moment longer than its objects.
      throw error instanceof ObjectNotFoundError ? new ObjectMissingError() : error;
    });
  }

  private async sendAll(bytes: Pieces, response: ServerResponse): Promise<void> {
    try {
      await send(bytes, response, this.pace);
    } catch (error) {
      // Usually the reader has closed the connection. The response has begun, so no error can be sent.
      if (!(error instanceof ReaderGoneError)) this.logger.warn(error);
    }
  }
}

/** Conditional and range requests must be compared with the object first; they may not need its bytes. */
const purposeOf = ({ method, headers }: IncomingMessage): HoldPurpose =>
  method === 'GET' && isUnconditional(headers) ? 'read' : 'look';

/** The range to serve; undefined for HEAD, because ranges are only defined for GET (RFC 9110, 14.2). */
function rangeOf(
  request: IncomingMessage,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET') return undefined;
  if (!rangeApplies([request.headers['if-range']].flat()[0], etag)) return undefined;
  const range = readRange(header, size);
  return range === 'whole' ? undefined : range;
}
