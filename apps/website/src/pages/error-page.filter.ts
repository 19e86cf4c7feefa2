import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { failurePage, notFoundPage } from './error.page';

/** Visitors get a page for every error, and none of its inner workings. */
@Catch()
export class ErrorPageFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorPageFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    if (status >= 500) this.logger.error(error);
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(status === 404 ? notFoundPage() : failurePage());
  }
}
