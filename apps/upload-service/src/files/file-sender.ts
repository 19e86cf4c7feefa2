import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { NotFoundError } from '@vitrine/domain';
import { Overload } from '@vitrine/http';
import { onRequestEnd, PublicUrlsConfig } from '@vitrine/runtime';
import {
  type ByteRange,
  type HoldPurpose,
  type ObjectInfo,
  ObjectChangedError,
  ObjectNotFoundError,
  type Pieces,
} from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { cacheHeaders } from './cache-headers';
import { FILES_PREFIX } from './file-name';
import type { ServedFile } from './files.service';
import { commonFields } from './file-headers';
import { HotObjects, type HotObject, type OpenObject } from './hot-objects';
import { isUnconditional, matchesAny, matchesStrictly, rangeApplies, readRange } from './http-preconditions';
import { SendingProxy } from './sending-proxy';
import { ReaderGoneError, type ReaderPace, send, sendBytes } from './send';

/** Seconds during which a reader's rate isn't checked, because networks pause. */
const GRACE_SECONDS = 10;

/** The object of a file that may be served does not exist. */
export class ObjectMissingError extends NotFoundError {}

/** Observes a request that is answered with a body of `bytes`, and returns its id (`HttpObserver.follow`). */
export type Observe = (bytes: number) => string;

/** Answers requests for files that may be served: headers, conditions, ranges and bytes. */
@Injectable()
export class FileSender {
  private readonly logger = new Logger(FileSender.name);
  private readonly pace: ReaderPace;
  private readonly sharedMaxAgeSeconds: number;
  private readonly common: readonly string[];

  constructor(
    private readonly objects: HotObjects,
    private readonly proxy: SendingProxy,
    config: UploadConfig,
    overload: Overload,
    urls: PublicUrlsConfig,
  ) {
    this.common = commonFields(urls);
    this.sharedMaxAgeSeconds = config.fileSharedMaxAgeSeconds;
    this.pace = {
      idleSeconds: config.fileIdleSeconds,
      minBytesPerSecond: config.fileMinBytesPerSecond,
      graceSeconds: GRACE_SECONDS,
      isCrowded: () => overload.isCrowded(FILES_PREFIX),
    };
  }

  /** Sends the whole response. Throws `ObjectMissingError` if the object does not exist any more. */
  async send(file: ServedFile, request: Request, response: Response): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendObject(file, request, response);
      } catch (error) {
        // The object was replaced between two reads; its replacement is served instead.
        if (!(error instanceof ObjectChangedError) || response.headersSent || attempt === 3) throw error;
      }
    }
  }

  /**
   * Answers a plain request (`GET` without conditions, ranges and query) with an object that is in memory, without the
   * framework. `observe` is called before the answer begins.
   */
  sendHot(file: ServedFile, name: string, hot: HotObject, response: ServerResponse, observe: Observe): void {
    response.writeHead(200, this.fieldsOf(file, name, hot.info, response, observe));
    onRequestEnd(response.req, response, this.objects.use(hot));
    sendBytes(hot.bytes, this.objects.pieceBytes, response, this.pace);
  }

  /**
   * As `sendHot`, for an object that may have to be read. Resolves to false, having sent nothing, if it can't be read
   * now.
   */
  async sendPlain(
    file: ServedFile,
    name: string,
    response: ServerResponse,
    observe: Observe,
  ): Promise<boolean> {
    const object = await this.objects.hold(file, 'read').catch(() => null);
    if (!object) return false;
    try {
      const bytes = await object.read().catch(() => null);
      if (!bytes || response.destroyed) return bytes !== null;
      response.writeHead(200, this.fieldsOf(file, name, object.info, response, observe));
      await this.sendAll(bytes, response);
      return true;
    } finally {
      await object.close();
    }
  }

  /**
   * The headers of nginx's decision on a plain request for a file. Those that all files have are in nginx's configuration.
   * Throws if the object does not exist.
   */
  async decide(
    file: ServedFile,
    name: string,
    { headers }: IncomingMessage,
  ): Promise<Readonly<Record<string, string>>> {
    const info = await this.objects.findInfo(file.storedKey);
    const request = { originalUrl: FILES_PREFIX + name, headers };
    return this.proxy.decisionOn(info, this.ownFieldsOf(file, name, info, request));
  }

  /** The headers of the complete answer to a plain request: names and values in turn. */
  private fieldsOf(
    file: ServedFile,
    name: string,
    info: ObjectInfo,
    { req: { headers } }: ServerResponse,
    observe: Observe,
  ): string[] {
    const fields = ['X-Request-Id', observe(info.size), 'Content-Length', String(info.size), ...this.common];
    const own = this.ownFieldsOf(file, name, info, { originalUrl: FILES_PREFIX + name, headers });
    for (const field in own) fields.push(field, own[field]!);
    return fields;
  }

  /** The headers of an answer that depend on the file, without its length. */
  private ownFieldsOf(
    file: ServedFile,
    name: string,
    info: ObjectInfo,
    request: Pick<Request, 'originalUrl' | 'headers'>,
  ): Readonly<Record<string, string>> {
    return {
      'Content-Type': file.mime,
      ...cacheHeaders(file, request, name, this.sharedMaxAgeSeconds),
      ETag: file.etagOf(info),
      'Accept-Ranges': 'bytes',
    };
  }

  private async sendObject(file: ServedFile, request: Request, response: Response): Promise<void> {
    const purpose = this.proxy.isOn ? 'look' : purposeOf(request);
    const object = await this.hold(file, purpose);
    try {
      await this.answer(file, object, request, response);
    } finally {
      await object.close();
    }
  }

  /** Sets headers only once the bytes can be read, so that an error response never carries the file's headers. */
  private async answer(
    file: ServedFile,
    object: OpenObject,
    request: Request,
    response: Response,
  ): Promise<void> {
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
    const name = String(request.params['name']);
    const own = {
      ...this.ownFieldsOf(file, name, info, request),
      // The name belongs to a file that was found, so it needs no quoting.
      ...('download' in request.query && {
        'Content-Disposition': `attachment; filename="${name}"`,
      }),
    };
    if (internal !== null) return this.proxy.order(internal, info, own, response);
    response.set(own);
    if (known) return void response.status(304).end();
    if (replaced || range === 'unsatisfiable') {
      response
        .status(replaced ? 412 : 416)
        .set('Cache-Control', 'no-store')
        .removeHeader('ETag');
      if (!replaced) response.set('Content-Range', `bytes */${info.size}`);
      return void response.end();
    }
    if (range) {
      response.status(206).set('Content-Range', `bytes ${range.from}-${range.to}/${info.size}`);
    }
    response.set('Content-Length', String(range ? range.to - range.from + 1 : info.size));
    if (!bytes) return void response.end();
    await this.sendAll(bytes, response);
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
const purposeOf = ({ method, headers }: Request): HoldPurpose =>
  method === 'GET' && isUnconditional(headers) ? 'read' : 'look';

/** The range to serve; undefined for HEAD, because ranges are only defined for GET (RFC 9110, 14.2). */
function rangeOf(request: Request, etag: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET') return undefined;
  if (!rangeApplies(request.get('If-Range'), etag)) return undefined;
  const range = readRange(header, size);
  return range === 'whole' ? undefined : range;
}
