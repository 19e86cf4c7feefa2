import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node's parser gives up on, by the code of its error; anything else is a 400. */
const STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

const MESSAGE: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  408: 'The request took too long.',
  413: 'The request body is too large.',
  431: 'The request headers are too large.',
};

/**
 * Answers in JSON what isn't HTTP, or is too long or too slow to be read as such: an address with letters that aren't
 * percent-encoded, say. Node would answer without a body. No request ever comes of it, so nothing is counted.
 */
export function answerUnreadable(server: Server, headers: Readonly<Record<string, string>>): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket);
    // Half an answer may be out: another in its midst would be read as part of it.
    const mayAnswer = socket.writable && (!response?.headersSent || response.writableFinished);
    if (mayAnswer) socket.end(answerTo(STATUS[error.code ?? ''] ?? 400, headers), () => socket.destroy());
    else socket.destroy();
  });
}

function answerTo(status: number, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ message: MESSAGE[status] });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Access-Control-Allow-Origin: *',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Content-Type: application/json; charset=utf-8',
    '',
    body,
  ].join('\r\n');
}
