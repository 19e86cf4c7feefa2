import type { ServerResponse } from 'node:http';
import type { Logger } from '@nestjs/common';
import { errorMessage } from '@vitrine/runtime';
import type { ErrorAnswer } from './error-answer';
import { renderError } from './error-shape';

/** Answers with an error, and logs the error if someone must act on it. `answer` is what `answerTo` makes of the error. */
export function sendError(
  error: unknown,
  answer: ErrorAnswer,
  response: ServerResponse,
  logger: Pick<Logger, 'error' | 'warn'>,
): void {
  if (answer.status === 500) logger.error(error);
  else if (answer.status === 503) logger.warn(`Unavailable: ${errorMessage(error)}`);
  if (response.headersSent) {
    // A part of the answer is sent. Closing the connection is the only way to report the failure.
    response.destroy();
    return;
  }
  const { status, type, text } = renderError(response.req, answer);
  response
    .writeHead(status, {
      'Cache-Control': 'no-store',
      ...answer.headers,
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
