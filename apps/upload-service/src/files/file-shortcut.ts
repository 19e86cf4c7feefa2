import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpObserver } from '@vitrine/runtime';
import { FILES_PREFIX } from './file-name';
import { FileSender, type Observe } from './file-sender';
import { FilesService, type ServedFile } from './files.service';
import { HotObjects } from './hot-objects';
import { type PictureClass, pictureClassOf } from './picture-class';
import { QUESTION_HEADER, SendingProxy } from './sending-proxy';

/** Requests that may wait for the database at the same time; the lanes of the usual way bound the others. */
const MAX_LOOKS = 64;

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;

/** What is asked for. */
interface Wanted {
  /** The file, if it is known without a query. */
  readonly known: ServedFile | null;
  readonly name: string;
  readonly pictures: PictureClass;
  /** Whether nginx asks for a decision. */
  readonly isQuestion: boolean;
}

/**
 * Answers the most frequent request, for a file as a whole, without the framework, which costs more processor time than sending a
 * small file. If nginx sends the files, its questions for decisions are answered here. What can't be answered at once with
 * a file that will stay as it is takes the usual way: there, requests wait, misses are counted, and errors are explained.
 */
@Injectable()
export class FileShortcut {
  /** Requests that wait for the database. */
  private looks = 0;

  constructor(
    @Inject(FilesService) private readonly files: FilesService,
    @Inject(HotObjects) private readonly objects: HotObjects,
    @Inject(FileSender) private readonly sender: FileSender,
    @Inject(HttpObserver) private readonly observer: HttpObserver,
    @Inject(SendingProxy) private readonly proxy: SendingProxy,
  ) {}

  /** As `Shortcut`. */
  answer(request: IncomingMessage, response: ServerResponse, usual: () => void): boolean {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || !url.startsWith(FILES_PREFIX)) return false;
    if (headers['if-none-match'] !== undefined || headers.range !== undefined) return false;
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
    else void this.answerLater({ known, name, pictures, isQuestion }, response, observe, usual);
    return true;
  }

  private async answerLater(
    { known, name, pictures, isQuestion }: Wanted,
    response: ServerResponse,
    observe: Observe,
    usual: () => void,
  ): Promise<void> {
    const file = known ?? (await this.look(name, pictures));
    if (isQuestion) return this.decide(file, name, response, observe);
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

  /** A file that will stay as it is; null for others, for errors, and if too many requests wait already. */
  private async look(name: string, pictures: PictureClass): Promise<ServedFile | null> {
    if (this.looks >= MAX_LOOKS) return null;
    this.looks++;
    try {
      const file = await this.files.find(name, pictures);
      return file.final ? file : null;
    } catch {
      return null;
    } finally {
      this.looks--;
    }
  }
}
