import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The status for each error of Node's parser, by its code; 400 for any other. */
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

/** Builds the error answers of a host for requests that don't reach the application: headers and body. */
export type PlainAnswer = (message: string) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Answers requests that Node can't parse because they are invalid, too long or too slow, e.g. with unencoded
 * letters in the target. Node's own answer would have no body. They never become requests, so no limit counts them.
 */
export function answerUnreadable(server: Server, answer: PlainAnswer): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket);
    // If part of an answer has been sent, the client would read this one as its rest.
    const mayAnswer = socket.writable && (!response?.headersSent || response.writableFinished);
    if (!mayAnswer) return void socket.destroy();
    socket.end(plainAnswer(STATUS[error.code ?? ''] ?? 400, answer), () => socket.destroy());
  });
}

/** Returns the text of a complete answer with this status, after which the connection is closed. */
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
