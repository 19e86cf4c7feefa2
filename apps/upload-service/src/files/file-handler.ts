import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError, NotFoundError } from '@vitrine/domain';
import { answerTo, type ErrorAnswer, methodNotAllowed, sendError } from '@vitrine/http';
import { errorMessage, HttpObserver, pathBegins, PublicUrlsConfig } from '@vitrine/runtime';
import {
  type AskedFile,
  type FileExchange,
  fileHostHeaders,
  FileSender,
  ObjectMissingError,
} from './file-sender';
import { FILES_PREFIX } from './file-name';
import { FileFinder } from './file-finder';
import { FilesService } from './files.service';
import { HotObjects } from './hot-objects';
import { isUnconditional } from './http-preconditions';
import { MissLimit } from './miss-limit';
import { pictureClassOf } from './picture-class';
import { QUESTION_HEADER, SendingProxy } from './sending-proxy';

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;

/**
 * Serves the files, `/f/<slug>[_<size>].<ext>`, in front of the framework, which costs more processor time than sending a
 * small file. Each request is answered with the file, with an error, or, if nginx sends the files, with the order to
 * do so. nginx's questions are answered with decisions.
 */
@Injectable()
export class FileHandler {
  private readonly logger = new Logger(FileHandler.name);
  private readonly headers: readonly (readonly [name: string, value: string])[];

  constructor(
    private readonly files: FilesService,
    private readonly finder: FileFinder,
    private readonly objects: HotObjects,
    private readonly sender: FileSender,
    private readonly misses: MissLimit,
    private readonly proxy: SendingProxy,
    private readonly observer: HttpObserver,
    urls: PublicUrlsConfig,
  ) {
    this.headers = Object.entries(fileHostHeaders(urls));
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
    const file = await this.finder.find(exchange);
    try {
      await this.sender.send(file, exchange);
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      // Every variant is complete without its alternatives.
      if (file.isAlternative)
        return this.send({ ...exchange, asked: { ...exchange.asked, pictures: 'plain' } });
      const again = await this.finder.findAgain(file, exchange);
      if (!again) throw error;
      await this.sender.send(again, exchange);
    }
  }
}

function readAsked({ url = '', headers }: IncomingMessage): AskedFile {
  const [name = '', query] = url.slice(FILES_PREFIX.length).split(/\?(.*)/s, 2);
  const download = query === undefined ? null : new URLSearchParams(query).get('download');
  return { name, download, pictures: download === null ? pictureClassOf(headers.accept) : null };
}
