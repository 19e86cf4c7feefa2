import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpObserver } from '@vitrine/runtime';
import { FILES_PREFIX } from './file-name';
import { FileSender } from './file-sender';
import { FilesService } from './files.service';
import { HotObjects } from './hot-objects';
import { pictureClassOf } from './picture-class';
import { KNOWN_ONLY_HEADER, SendingProxy } from './sending-proxy';

/** The route of files, for metrics and log lines. */
const ROUTE = `${FILES_PREFIX}:name`;

/**
 * Answers the most frequent request, for a popular file as a whole, without the framework, which costs more processor
 * time than sending a small file. Everything else takes the usual way, which also prepares the headers for this one.
 * If nginx sends the files, it keeps the decisions on popular ones itself, and gets a quick refusal here for all
 * others.
 */
@Injectable()
export class FileShortcut {
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
    const isQuestion = this.proxy.isOn && headers[KNOWN_ONLY_HEADER] !== undefined;
    if (this.proxy.isOn && !isQuestion) return false;
    // No name has a query.
    const file = this.files.findKnown(url.slice(FILES_PREFIX.length), pictureClassOf(headers.accept));
    if (isQuestion) {
      if (file) return false;
      response.writeHead(403).end();
      return true;
    }
    const hot = file && this.objects.findFresh(file.key);
    if (!hot) return false;
    const observe = (): string => this.observer.follow(request, response, ROUTE, hot.info.size);
    return this.sender.sendHot(file, hot, response, observe);
  }
}
