import { Injectable, Logger } from '@nestjs/common';
import { NotFoundError } from '@vitrine/domain';
import { Overload } from '@vitrine/http';
import {
  type ByteRange,
  type HeldObject,
  type HoldPurpose,
  ObjectChangedError,
  ObjectNotFoundError,
  ObjectStorage,
  type Pieces,
} from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { FILES_PREFIX } from './file-name';
import { FilesService, type ServedFile, VariantMissingError } from './files.service';
import { matchesAny, rangeApplies, readRange } from './http-preconditions';
import { MissLimit } from './miss-limit';
import { ReaderGoneError, type ReaderPace, send } from './send';
import { VariantHolds } from './variant-holds';

/** For files that never change. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';
/** For an original that is served until its variant exists. */
const TEMPORARY_CACHE = 'public, max-age=60';

/** Seconds during which a reader's rate isn't checked, because networks pause. */
const GRACE_SECONDS = 10;

/** Answers requests for files: finds the object, waits for it if it is being made, and sends it. */
@Injectable()
export class FileDelivery {
  private readonly logger = new Logger(FileDelivery.name);
  private readonly pace: ReaderPace;
  private readonly holdSeconds: number;

  constructor(
    private readonly files: FilesService,
    private readonly storage: ObjectStorage,
    private readonly misses: MissLimit,
    private readonly holds: VariantHolds,
    config: UploadConfig,
    overload: Overload,
  ) {
    this.holdSeconds = config.fileHoldSeconds;
    this.pace = {
      idleSeconds: config.fileIdleSeconds,
      minBytesPerSecond: config.fileMinBytesPerSecond,
      graceSeconds: GRACE_SECONDS,
      isCrowded: () => overload.isCrowded(FILES_PREFIX),
    };
  }

  /** Sends the file with this public name. A name that no file has counts as a miss of the client. */
  async deliver(name: string, request: Request, response: Response): Promise<void> {
    await this.misses.countAround(request, () => this.serveObject(name, request, response));
  }

  /** Refuses a request for a path that no file can have; it counts as a miss too. */
  async refuse(request: Request): Promise<void> {
    await this.misses.countAround(request, () => Promise.reject(new NotFoundError()));
  }

  private async serveObject(name: string, request: Request, response: Response): Promise<void> {
    const file = await this.find(name, request, response);
    for (let attempt = 1; ; attempt++) {
      const object = await this.hold(file.key, purposeOf(request));
      try {
        return await this.answer(file, object, request, response);
      } catch (error) {
        // The object was replaced between the two reads; its replacement is served instead.
        if (!(error instanceof ObjectChangedError) || response.headersSent || attempt === 3) throw error;
      } finally {
        await object.close();
      }
    }
  }

  /** Waits for a variant that is being made. */
  private async find(name: string, request: Request, response: Response): Promise<ServedFile> {
    const until = performance.now() + this.holdSeconds * 1000;
    for (;;) {
      try {
        return await this.files.find(name);
      } catch (error) {
        if (!(error instanceof VariantMissingError)) throw error;
        // Looks up the row again if it was read for another request just before it changed.
        const seconds = Math.max(0, until - performance.now()) / 1000;
        if (!(await this.holds.hold(error.slug, seconds, request, response))) throw error;
      }
    }
  }

  /** Sets headers only once the bytes can be read, so that an error response never carries the file's headers. */
  private async answer(
    file: ServedFile,
    object: HeldObject,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { info } = object;
    const etag = file.etagOf(info);
    const ifNoneMatch = request.headers['if-none-match'];
    const known = ifNoneMatch !== undefined && matchesAny(ifNoneMatch, etag);
    const range = known ? undefined : rangeOf(request, etag, info.size);
    const wanted = !known && range !== 'unsatisfiable' && request.method !== 'HEAD';
    const bytes = wanted ? await object.read(range) : null;
    response.set({
      'Content-Type': file.mime,
      'Cache-Control': file.final ? IMMUTABLE_CACHE : TEMPORARY_CACHE,
      ETag: etag,
      'Accept-Ranges': 'bytes',
      // The name belongs to a file that was found, so it needs no quoting.
      ...('download' in request.query && {
        'Content-Disposition': `attachment; filename="${String(request.params['name'])}"`,
      }),
    });
    if (known) return void response.status(304).end();
    if (range === 'unsatisfiable') {
      response.status(416).set({ 'Content-Range': `bytes */${info.size}`, 'Cache-Control': 'no-store' });
      response.removeHeader('ETag');
      return void response.end();
    }
    if (range) {
      response.status(206).set('Content-Range', `bytes ${range.from}-${range.to}/${info.size}`);
    }
    response.set('Content-Length', String(range ? range.to - range.from + 1 : info.size));
    if (!bytes) return void response.end();
    await this.sendAll(bytes, response);
  }

  private hold(key: string, purpose: HoldPurpose): Promise<HeldObject> {
    return this.storage.hold(key, purpose).catch((error: unknown) => {
      // During a deletion the row exists for a moment longer than its objects.
      throw error instanceof ObjectNotFoundError ? new NotFoundError() : error;
    });
  }

  private async sendAll(bytes: Pieces, response: Response): Promise<void> {
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
  method === 'GET' && headers['if-none-match'] === undefined && headers.range === undefined ? 'read' : 'look';

/** The range to serve; undefined for HEAD, because ranges are only defined for GET (RFC 9110, 14.2). */
function rangeOf(request: Request, etag: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET') return undefined;
  if (!rangeApplies(request.get('If-Range'), etag)) return undefined;
  const range = readRange(header, size);
  return range === 'whole' ? undefined : range;
}
