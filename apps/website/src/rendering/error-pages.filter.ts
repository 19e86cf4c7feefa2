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
import { LogInRequiredError, StaleFormError } from '../visits/errors';
import { logInPath, SECURITY_PATH } from '../links/paths';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';
import { errorPage } from './error-page';
import { interruptedForm } from '../interrupted-forms/interrupted-form';
import { interruptedPage } from '../interrupted-forms/interrupted-page';
import { Renderer } from './renderer';
import { type Problem, problemOf } from '../results/problem';

/** Answers every error with a page, and with JSON for the site's scripts. Neither contains internal details. */
@Injectable()
@Catch()
export class ErrorPagesFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorPagesFilter.name);

  constructor(private readonly renderer: Renderer) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const problem = problemOf(error, String(response.getHeader('X-Request-Id') ?? ''));
    this.log(error);
    if (response.headersSent) return void response.destroy();
    response.set('Cache-Control', 'no-store');
    if (problem.retryAfter !== undefined) {
      response.set('Retry-After', String(problem.retryAfter));
      // Browsers load the page again by themselves.
      if (problem.status === 503 && request.method === 'GET')
        response.set('Refresh', String(problem.retryAfter));
    }
    const visit = visitOf(request);
    try {
      await this.answer(error, problem, visit);
    } catch (failure) {
      this.logger.error(failure);
      response.status(500).type('text').send(`Something went wrong. Please quote ${problem.requestId}.`);
    }
  }

  /** Users' errors are not logged here. The API logs its own errors. */
  private log(error: unknown): void {
    if (isServerFault(error)) this.logger.error(error);
    else if (error instanceof VitrineError && error.code === 'network') {
      this.logger.warn(`The API did not answer: ${causeOf(error)}`);
    }
  }

  private async answer(error: unknown, problem: Problem, visit: Visit): Promise<void> {
    const { request, response } = visit;
    const hasSessionEnded = problem.status === 401 && visit.hasSession;
    if (hasSessionEnded) visit.clearSession();
    if (visit.wantsJson) return void response.status(problem.status).json(jsonOf(problem, visit));

    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (isReading && (error instanceof LogInRequiredError || (problem.status === 401 && !hasSessionEnded))) {
      return response.redirect(303, logInPath(visit.path));
    }
    if (isReading && hasSessionEnded) {
      // Redirects to the same page without a session; pages that need an account lead to the login from there.
      visit.setNotice('Your session has ended. Log in again to continue.');
      return response.redirect(303, visit.path);
    }
    if (isReading && problem.status === 403 && (await this.viewerIfKnown(visit))?.factorMissing) {
      // The API refuses people who lack the second factor that the site requires of them.
      return response.redirect(303, SECURITY_PATH);
    }
    const interrupted = interruptedForm(error, problem, visit);
    const page = interrupted ? interruptedPage(interrupted, hasSessionEnded) : errorPage(problem, visit);
    return this.renderer.send(page, visit, await this.viewerIfKnown(visit));
  }

  /** Null if the API doesn't answer this either. */
  private async viewerIfKnown(visit: Visit): Promise<Viewer | null> {
    try {
      return await visit.viewer();
    } catch {
      return null;
    }
  }
}

/** Whether the error is a bug, including a response of the API that doesn't match its contract. */
const isServerFault = (error: unknown): boolean =>
  !(
    (error instanceof VitrineError && error.code !== 'unexpected_answer') ||
    error instanceof UnaddressableError ||
    error instanceof LogInRequiredError ||
    error instanceof StaleFormError ||
    (error instanceof HttpException && error.getStatus() < 500)
  );

const causeOf = ({ cause, message }: VitrineError): string =>
  cause instanceof Error ? cause.message : message;

const jsonOf = (problem: Problem, visit: Visit): object => ({
  message: problem.message,
  errors: problem.errors,
  retry_after: problem.retryAfter,
  request_id: problem.status >= 500 ? problem.requestId : undefined,
  log_in: problem.status === 401 ? logInPath(visit.request.get('X-Vitrine-Page') ?? '/') : undefined,
  // The script puts this token into the form and sends it again.
  token: problem.code === 'stale_form' ? visit.formToken() : undefined,
});
