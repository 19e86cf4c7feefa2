import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError, NotFoundError, VariantRetention } from '@vitrine/domain';
import { answerTo, type ErrorAnswer, methodNotAllowed, sendError } from '@vitrine/http';
import { errorMessage, HttpObserver, pathBegins, PublicUrlsConfig } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';
import {
  type AskedFile,
  type FileExchange,
  fileHostHeaders,
  FileSender,
  ObjectMissingError,
} from './file-sender';
import { FILES_PREFIX } from './file-name';
import { FilesService, type ServedFile, VariantMissingError, VariantRemovedError } from './files.service';
import { HotObjects } from './hot-objects';
import { isUnconditional } from './http-preconditions';
import { MissLimit } from './miss-limit';
import { pictureClassOf } from './picture-class';
import { RetentionConfig } from './retention.config';
import { QUESTION_HEADER, SendingProxy } from './sending-proxy';
import { VariantHolds } from './variant-holds';
import { VariantRemakes } from './variant-remakes';

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;
/** How often a request looks for its file. A variant that is being removed must be gone before it can be made again. */
const MAX_ATTEMPTS = 6;

/**
 * Serves the files, `/f/<slug>[_<size>].<ext>`, in front of the framework, which costs more processor time than sending a
 * small file. Each request is answered with the file, with an error, or, if nginx sends the files, with the order to
 * do so. nginx's questions are answered with decisions.
 */
@Injectable()
export class FileHandler {
  private readonly logger = new Logger(FileHandler.name);
  private readonly headers: readonly (readonly [name: string, value: string])[];
  private readonly holdSeconds: number;
  private readonly retentionDays: number;

  constructor(
    private readonly files: FilesService,
    private readonly objects: HotObjects,
    private readonly sender: FileSender,
    private readonly misses: MissLimit,
    private readonly holds: VariantHolds,
    private readonly remakes: VariantRemakes,
    private readonly retention: VariantRetention,
    private readonly storage: ObjectStorage,
    private readonly proxy: SendingProxy,
    private readonly observer: HttpObserver,
    urls: PublicUrlsConfig,
    config: UploadConfig,
    { days }: RetentionConfig,
  ) {
    this.headers = Object.entries(fileHostHeaders(urls));
    this.holdSeconds = config.fileHoldSeconds;
    this.retentionDays = days;
  }

  /** As `FrontHandler`. The framework gets requests of other paths, misspelt paths, and preflights. */
  handle(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    const { method, url = '', headers } = request;
    if (method === 'OPTIONS' || !pathBegins(request, FILES_PREFIX)) return next();
    const begun = performance.now();
    const isWhole = method === 'GET' && isUnconditional(headers);
    if (isWhole && this.proxy.isOn && headers[QUESTION_HEADER] !== undefined) {
      return void this.decide(url.slice(FILES_PREFIX.length), begun, request, response);
    }
    const asked = readAsked(request);
    const followed = this.observer.follow(request, response, ROUTE, begun);
    const exchange = { asked, request, response, followed };
    const known =
      isWhole && !this.proxy.isOn && asked.pictures ? this.files.findKnown(asked.name, asked.pictures) : null;
    const hot = known && this.objects.findFresh(known.key);
    if (hot) this.sender.sendHot(known, hot, exchange);
    else followed.within(() => void this.answer(exchange));
  }

  /** Answers nginx's question with a decision, or with 403, after which nginx passes the client's request on. */
  private async decide(
    name: string,
    begun: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const observe = (): string => this.observer.follow(request, response, ROUTE, begun).id;
    try {
      const file = await this.files.find(name, pictureClassOf(request.headers.accept));
      // nginx keeps decisions, so it gets them only on files that will stay as they are.
      const decision = file.final ? await this.sender.decide(file, name, request).catch(() => null) : null;
      if (response.destroyed) return;
      if (!decision) return this.proxy.refuse(response);
      response.writeHead(200, { 'X-Request-Id': observe(), ...decision }).end();
    } catch (error) {
      if (response.destroyed) return;
      if (error instanceof DomainError) return this.proxy.refuse(response);
      const { status, headers } = answerTo(error);
      // nginx passes a 503 on to the client; after any other error it passes the client's request on to this process.
      if (status === 503) this.logger.warn(`Unavailable: ${errorMessage(error)}`);
      response.writeHead(status, { 'X-Request-Id': observe(), 'Content-Length': '0', ...headers }).end();
    }
  }

  private async answer(exchange: FileExchange): Promise<void> {
    const { request } = exchange;
    const { method = '' } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return this.refuse(null, methodNotAllowed(method, ['GET', 'HEAD']), exchange);
    try {
      await this.send(exchange);
    } catch (error) {
      const failure = error instanceof NotFoundError ? await this.misses.count(error, request) : error;
      this.refuse(failure, answerTo(failure), exchange);
    }
  }

  private refuse(error: unknown, answer: ErrorAnswer, { response, followed }: FileExchange): void {
    if (!response.headersSent) {
      for (const [name, value] of this.headers) response.setHeader(name, value);
      response.setHeader('X-Request-Id', followed.id);
    }
    sendError(error, answer, response, this.logger);
  }

  /** Throws `NotFoundError` if there is no such file. */
  private async send(exchange: FileExchange): Promise<void> {
    const file = await this.find(exchange);
    try {
      await this.sender.send(file, exchange);
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      // Every variant is complete without its alternatives.
      if (file.isAlternative)
        return this.send({ ...exchange, asked: { ...exchange.asked, pictures: 'plain' } });
      // A missing variant is made again. A missing original may be stored under another key since the row was read.
      const canBeRemade = await this.recordMissing(file);
      this.files.forget(file.slug);
      const again = await this.find(exchange);
      if (!canBeRemade && again.storedKey === file.storedKey) throw error;
      await this.sender.send(again, exchange);
    }
  }

  /** Finds the file. If it is a variant that must be made first, waits for it until the request has been held long enough. */
  private async find(exchange: FileExchange): Promise<ServedFile> {
    const { name, pictures } = exchange.asked;
    const until = performance.now() + this.holdSeconds * 1000;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.files.find(name, pictures);
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && (await this.waitForVariant(error, until, exchange))) continue;
        const instead = error instanceof VariantRemovedError ? error.instead : null;
        if (!instead) throw error;
        return instead;
      }
    }
  }

  /**
   * Waits for the variant whose absence is the `failure`. Returns whether the variant may be stored now: false if it isn't
   * at `until` (milliseconds as of `performance.now`), or if the failure has another cause.
   */
  private async waitForVariant(
    failure: unknown,
    until: number,
    { request, response }: FileExchange,
  ): Promise<boolean> {
    if (failure instanceof VariantRemovedError) return this.remakes.demand(failure, until, request, response);
    if (!(failure instanceof VariantMissingError)) return false;
    const seconds = Math.max(0, until - performance.now()) / 1000;
    const isMade = await this.holds.hold(failure.slug, seconds, request, response);
    // A statement of another request may have read the row just before the variant was recorded.
    this.files.forget(failure.slug);
    return isMade;
  }

  /**
   * Records that a variant is missing, and returns whether it can be made again: a process may have been killed, or a media
   * item processed again, while the variant was removed.
   */
  private async recordMissing({ slug, key: missing, variant }: ServedFile): Promise<boolean> {
    if (this.retentionDays === 0 || variant === null) return false;
    const isStored = async (key: string): Promise<boolean> => (await this.storage.head(key)) !== null;
    return this.retention.recordMissing(slug, missing, isStored);
  }
}

function readAsked({ url = '', headers }: IncomingMessage): AskedFile {
  const [name = '', query] = url.slice(FILES_PREFIX.length).split(/\?(.*)/s, 2);
  const isDownload = query !== undefined && new URLSearchParams(query).has('download');
  return { name, isDownload, pictures: isDownload ? null : pictureClassOf(headers.accept) };
}
