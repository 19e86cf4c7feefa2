import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { HttpConfig, type RequestLane } from '@vitrine/http';
import { FILES_PREFIX } from '../files/file-name';
import { UploadConfig } from '../config/upload.config';

/** How long a client may continue to send its body after the response, in milliseconds. */
const LINGER_MS = 3000;

/**
 * Prepares a server for large request bodies that may take `bodySeconds`. `Expect: 100-continue` is left to the route, so
 * a client whose request is refused need not send its body. If the response is sent before the whole body has arrived,
 * the rest is read and discarded for a short time: closing the connection immediately could lose the response.
 */
export function acceptLargeBodies(server: Server, bodySeconds: number): void {
  server.requestTimeout = bodySeconds * 1000 + LINGER_MS;
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (!request.complete) discardRest(request);
    });
  });
}

function discardRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

/**
 * Bounds how many requests this host handles at a time. Files and uploads take as long as their clients' connections, so
 * none waits for another. The limit for uploads leaves room to refuse further uploads with a response.
 */
export function lanesOf(app: INestApplicationContext): readonly RequestLane[] {
  const uploads = app.get(UploadConfig);
  const requests = app.get(HttpConfig);
  return [
    {
      start: FILES_PREFIX,
      limit: uploads.maxConcurrentFiles,
      waiting: 0,
      perAddress: uploads.maxConcurrentFilesPerAddress,
    },
    {
      start: '',
      limit: uploads.maxConcurrentUploads + requests.maxConcurrentRequests,
      waiting: 0,
      perAddress: uploads.maxConcurrentUploadsPerCaller + requests.maxConcurrentRequestsPerAddress,
    },
  ];
}
