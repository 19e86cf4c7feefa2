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
  429: 'Too Many Attempts.',
  431: 'The request headers are too large.',
  503: 'Service unavailable, please retry.',
};

/** Builds a host's error answers where a request doesn't reach the application: headers and body. */
export type PlainAnswer = (message: string) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Answers what isn't HTTP, or is too long or too slow to be read as such: an address with letters that aren't
 * percent-encoded, say. Node would answer without a body. No request ever comes of it, so nothing is counted.
 */
export function answerUnreadable(server: Server, answer: PlainAnswer): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket);
    // Half an answer may be out: another in its midst would be read as part of it.
    const mayAnswer = socket.writable && (!response?.headersSent || response.writableFinished);
    if (!mayAnswer) return void socket.destroy();
    socket.end(plainAnswer(STATUS[error.code ?? ''] ?? 400, answer), () => socket.destroy());
  });
}

/** The text of a complete answer of this status; the connection is closed after it. */
export function plainAnswer(status: number, answer: PlainAnswer): string {
  const { headers, body } = answer(MESSAGE[status] ?? '');
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Ends a response as `plainAnswer` does. */
export function answerPlainly(response: ServerResponse, status: number, answer: PlainAnswer): void {
  const { headers, body } = answer(MESSAGE[status] ?? '');
  response.writeHead(status, { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
