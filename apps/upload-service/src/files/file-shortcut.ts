import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '@vitrine/domain';
import { answerTo } from '@vitrine/http';
import { errorMessage, HttpObserver } from '@vitrine/runtime';
import { recordFailedLookUp } from './failed-look-ups';
import { isUnconditional } from './http-preconditions';
import { FILES_PREFIX } from './file-name';
import { FileSender, type Observe } from './file-sender';
import { FilesService, type ServedFile } from './files.service';
import { HotObjects } from './hot-objects';
import { type PictureClass, pictureClassOf } from './picture-class';
import { QUESTION_HEADER, SendingProxy } from './sending-proxy';

/** Requests that may wait for the database at the same time; the framework gets the others. */
const MAX_LOOKUPS = 64;

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;

/** A plain request for a file. */
interface FileRequest {
  /** The file, if it is known without a query. */
  readonly known: ServedFile | null;
  readonly name: string;
  readonly pictures: PictureClass;
  /** Whether nginx asks for a decision. */
  readonly isQuestion: boolean;
}

/**
 * Answers plain requests for whole files without the framework, which costs more processor time than sending a small
 * file. Also answers nginx's questions for decisions. Other requests are passed to the framework, which waits, counts
 * misses and explains errors.
 */
@Injectable()
export class FileShortcut {
  private readonly logger = new Logger(FileShortcut.name);
  /** Requests that wait for the database. */
  private lookups = 0;

  constructor(
    private readonly files: FilesService,
    private readonly objects: HotObjects,
    private readonly sender: FileSender,
    private readonly observer: HttpObserver,
    private readonly proxy: SendingProxy,
  ) {}

  /** As `Shortcut`. */
  answer(request: IncomingMessage, response: ServerResponse, usual: () => void): boolean {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || !url.startsWith(FILES_PREFIX)) return false;
    if (!isUnconditional(headers)) return false;
    const isQuestion = this.proxy.isOn && headers[QUESTION_HEADER] !== undefined;
    if (this.proxy.isOn && !isQuestion) return false;
    // No name has a query.
    const name = url.slice(FILES_PREFIX.length);
    const pictures = pictureClassOf(headers.accept);
    const known = this.files.findKnown(name, pictures);
    const begun = performance.now();
    const observe = (bytes: number): string =>
      this.observer.follow(request, response, ROUTE, { bytes, begun });
    const hot = known && !isQuestion && this.objects.findFresh(known.key);
    if (hot) this.sender.sendHot(known, name, hot, response, observe);
    else
      this.answerLater({ known, name, pictures, isQuestion }, response, observe, usual).catch(
        (error: unknown) => {
          this.logger.error(error);
          response.destroy();
        },
      );
    return true;
  }

  private async answerLater(
    { known, name, pictures, isQuestion }: FileRequest,
    response: ServerResponse,
    observe: Observe,
    usual: () => void,
  ): Promise<void> {
    let file = known;
    try {
      file ??= await this.lookUp(name, pictures);
    } catch (error) {
      if (response.destroyed) return;
      if (isQuestion) return this.failToDecide(error, response, observe);
      recordFailedLookUp(response.req, error);
      return usual();
    }
    // nginx keeps decisions, so it gets them only on files that will stay as they are.
    if (isQuestion) return this.decide(file?.final ? file : null, name, response, observe);
    const isSent = file !== null && (await this.sender.sendPlain(file, name, response, observe));
    if (!isSent && !response.destroyed) usual();
  }

  /** Answers nginx's question with a decision, or with a refusal, after which nginx passes the request on. */
  private async decide(
    file: ServedFile | null,
    name: string,
    response: ServerResponse,
    observe: Observe,
  ): Promise<void> {
    const decision = file && (await this.sender.decide(file, name, response.req).catch(() => null));
    if (response.destroyed) return;
    if (decision) response.writeHead(200, { 'X-Request-Id': observe(0), ...decision }).end();
    else this.proxy.refuse(response);
  }

  /**
   * Answers nginx's question with an error. nginx passes a 503 on to the client; after any other error it passes the
   * client's request on to this process.
   */
  private failToDecide(error: unknown, response: ServerResponse, observe: Observe): void {
    const { status, headers } = answerTo(error);
    if (status === 503) this.logger.warn(`Unavailable: ${errorMessage(error)}`);
    response.writeHead(status, { 'X-Request-Id': observe(0), 'Content-Length': '0', ...headers }).end();
  }

  /** Null if there is no file now, or if too many requests already wait. Throws if the database doesn't answer. */
  private async lookUp(name: string, pictures: PictureClass): Promise<ServedFile | null> {
    if (this.lookups >= MAX_LOOKUPS) return null;
    this.lookups++;
    try {
      return await this.files.find(name, pictures);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    } finally {
      this.lookups--;
    }
  }
}
