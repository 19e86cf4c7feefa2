import type { IncomingMessage } from 'node:http';
import type { ErrorAnswer } from './error-answer';

/** An answer as it is sent. */
export interface RenderedError {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Renders an error as the clients of one kind of API expect it. */
export type ErrorShape = (answer: ErrorAnswer) => RenderedError;

const shapes = new WeakMap<IncomingMessage, ErrorShape>();

const JSON_SHAPE: ErrorShape = ({ status, body }) => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(body),
});

/** Declares the form of every error that a request is answered with, whichever part of the host refuses it. */
export const recordErrorShape = (request: IncomingMessage, shape: ErrorShape): void =>
  void shapes.set(request, shape);

/** Renders an error for a request: as JSON, unless another form is recorded. */
export const renderError = (request: IncomingMessage, answer: ErrorAnswer): RenderedError =>
  (shapes.get(request) ?? JSON_SHAPE)(answer);
