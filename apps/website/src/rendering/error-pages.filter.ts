import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  Logger,
} from '@nestjs/common';
import { UnaddressableError, VitrineError } from '@vitrine/client';
import type { Request, Response } from 'express';
import { visitOf } from '../visits/current-visit';
import { LogInFirst } from '../visits/log-in-first';
import { logInPath } from '../visits/log-in-path';
import { StaleForm } from '../visits/stale-form';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';
import { errorPage } from './error-page';
import { interruptedForm } from './interrupted-form';
import { interruptedPage } from './interrupted-page';
import { Renderer } from './renderer';
import { type Trouble, troubleOf } from './trouble';

/** Visitors get a page for every error, and our scripts JSON; neither sees its inner workings. */
@Injectable()
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorPagesFilter.name);

  constructor(private readonly renderer: Renderer) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const trouble = troubleOf(error, String(response.getHeader('X-Request-Id') ?? ''));
    this.log(error);
    if (response.headersSent) return void response.destroy();
    response.set('Cache-Control', 'no-store');
    if (trouble.retryAfter !== undefined) response.set('Retry-After', String(trouble.retryAfter));
    const visit = visitOf(request);
    try {
      await this.answer(error, trouble, visit);
    } catch (failure) {
      this.logger.error(failure);
      response.status(500).type('text').send(`Something went wrong. Please quote ${trouble.requestId}.`);
    }
  }

  /** Visitors' own errors are no news; what the API says of itself is told in its log. */
  private log(error: unknown): void {
    if (isOurFault(error)) this.logger.error(error);
    else if (error instanceof VitrineError && error.code === 'network') {
      this.logger.warn(`The API did not answer: ${causeOf(error)}`);
    }
  }

  private async answer(error: unknown, trouble: Trouble, visit: Visit): Promise<void> {
    const { request, response } = visit;
    const hasSessionEnded = trouble.status === 401 && visit.hasSession;
    if (hasSessionEnded) visit.dropSession();
    if (visit.wantsJson) return void response.status(trouble.status).json(jsonOf(trouble, visit));

    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (isReading && (error instanceof LogInFirst || (trouble.status === 401 && !hasSessionEnded))) {
      return response.redirect(303, logInPath(visit.path));
    }
    if (isReading && hasSessionEnded) {
      // The same page as nobody; whatever needs an account leads to the login from there.
      visit.leaveNotice('Your session has ended. Log in again to go on.');
      return response.redirect(303, visit.path);
    }
    const interrupted = interruptedForm(error, trouble, visit);
    const page = interrupted ? interruptedPage(interrupted, hasSessionEnded) : errorPage(trouble, visit);
    return this.renderer.send(page, visit, await this.viewerIfKnown(visit));
  }

  /** Where even that can't be found out, the page does without. */
  private async viewerIfKnown(visit: Visit): Promise<Viewer | null> {
    try {
      return await visit.viewer();
    } catch {
      return null;
    }
  }
}

/** What somebody must look at; an answer that the API could not have meant is such a thing. */
const isOurFault = (error: unknown): boolean =>
  !(
    (error instanceof VitrineError && error.code !== 'unexpected_answer') ||
    error instanceof UnaddressableError ||
    error instanceof LogInFirst ||
    error instanceof StaleForm ||
    (error instanceof HttpException && error.getStatus() < 500)
  );

const causeOf = ({ cause, message }: VitrineError): string =>
  cause instanceof Error ? cause.message : message;

const jsonOf = (trouble: Trouble, visit: Visit): object => ({
  message: trouble.message,
  errors: trouble.errors,
  retry_after: trouble.retryAfter,
  request_id: trouble.status >= 500 ? trouble.requestId : undefined,
  log_in: trouble.status === 401 ? logInPath(visit.request.get('X-Vitrine-Page') ?? '/') : undefined,
  // Scripts put it into the form and send it once more.
  token: trouble.code === 'stale_form' ? visit.formToken() : undefined,
});
