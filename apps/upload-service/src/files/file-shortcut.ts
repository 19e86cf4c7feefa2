import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpObserver } from '@vitrine/runtime';
import { FILES_PREFIX } from './file-name';
import { FileSender } from './file-sender';
import { FilesService, type ServedFile } from './files.service';
import { HotObjects } from './hot-objects';
import { type PictureClass, pictureClassOf } from './picture-class';
import { QUESTION_HEADER, SendingProxy } from './sending-proxy';

/** Questions of nginx that may wait for the database at the same time. */
const MAX_LOOKS = 64;

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;

/**
 * Answers the most frequent request, for a popular file as a whole, without the framework, which costs more processor
 * time than sending a small file. Everything else takes the usual way, which also prepares the headers for this one.
 * If nginx sends the files, its questions for decisions are answered here.
 */
@Injectable()
export class FileShortcut {
  /** Questions that wait for the database. */
  private looks = 0;

  constructor(
    @Inject(FilesService) private readonly files: FilesService,
    @Inject(HotObjects) private readonly objects: HotObjects,
    @Inject(FileSender) private readonly sender: FileSender,
    @Inject(HttpObserver) private readonly observer: HttpObserver,
    @Inject(SendingProxy) private readonly proxy: SendingProxy,
  ) {}

  /** Returns false, and does nothing, if the request takes the usual way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || !url.startsWith(FILES_PREFIX)) return false;
    if (headers['if-none-match'] !== undefined || headers.range !== undefined) return false;
    const isQuestion = this.proxy.isOn && headers[QUESTION_HEADER] !== undefined;
    if (this.proxy.isOn && !isQuestion) return false;
    // No name has a query.
    const name = url.slice(FILES_PREFIX.length);
    const pictures = pictureClassOf(headers.accept);
    const file = this.files.findKnown(name, pictures);
    const observe = (bytes: number): string => this.observer.follow(request, response, ROUTE, bytes);
    if (isQuestion) {
      void this.decide(file, name, pictures, response, () => observe(0));
      return true;
    }
    const hot = file && this.objects.findFresh(file.key);
    return hot ? this.sender.sendHot(file, hot, response, () => observe(hot.info.size)) : false;
  }

  /** Answers nginx's question with a decision, or with a refusal: the usual way then waits, counts misses and limits load. */
  private async decide(
    known: ServedFile | null,
    name: string,
    pictures: PictureClass,
    response: ServerResponse,
    observe: () => string,
  ): Promise<void> {
    const file = known ?? (await this.look(name, pictures));
    const decision = file && (await this.sender.decide(file, name, response.req).catch(() => null));
    if (response.destroyed) return;
    if (decision) response.writeHead(200, { 'X-Request-Id': observe(), ...decision }).end();
    else this.proxy.refuse(response);
  }

  /** A file that will stay as it is; null for others, for errors, and if too many questions wait already. */
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
