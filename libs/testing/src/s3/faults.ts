import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The fault of one request: an error as the answer, a reset connection, a lost answer after the request was carried out,
 * an answer that breaks off or stalls after some bytes of its body, or a delay, which may be endless.
 */
export type S3Fault =
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'lose-answer' }
  | { readonly kind: 'break-off' | 'stall'; readonly afterBytes: number }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'hang' };

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Handles a request with a fault of the network or of the store. */
export async function injectFault(
  fault: S3Fault,
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
): Promise<void> {
  switch (fault.kind) {
    case 'refuse':
      request.resume();
      response.writeHead(fault.status, { 'Content-Type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>No</Message></Error>`);
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'hang':
      request.resume();
      return;
    case 'delay':
      await sleep(fault.milliseconds);
      handle(request, response);
      return;
    case 'lose-answer':
      allow(response, 0, () => request.socket.resetAndDestroy());
      handle(request, response);
      return;
    case 'break-off':
      allow(response, fault.afterBytes, () => request.socket.destroy());
      handle(request, response);
      return;
    case 'stall':
      allow(response, fault.afterBytes, () => undefined);
      handle(request, response);
      return;
  }
}

/** Sends at most so many bytes of the body, then calls `after` instead of sending the rest. */
function allow(response: ServerResponse, bytes: number, after: () => void): void {
  const write = response.write.bind(response);
  let left = bytes;
  let over = false;
  const pass = (chunk: unknown): boolean => {
    if (over || !(chunk instanceof Uint8Array || typeof chunk === 'string')) return true;
    const body = Buffer.from(chunk);
    const piece = body.subarray(0, left);
    left -= piece.length;
    over = piece.length < body.length;
    if (piece.length > 0) write(piece, () => over && after());
    else if (over) after();
    return true;
  };
  response.write = pass;
  response.end = (chunk?: unknown): ServerResponse => {
    pass(chunk);
    if (!over) after();
    return response;
  };
}
