import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, type Observable, switchMap } from 'rxjs';
import { SECURITY_PATH } from '../links/paths';
import { visitOf } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { FormResult, type FormResultOptions } from '../results/form-result';
import { Page } from '../results/page';
import { Renderer } from './renderer';

/**
 * Turns the return values of controllers into responses: renders a `Page`, redirects for a `FormResult`. Other values
 * are sent unchanged.
 */
@Injectable()
export class PagesInterceptor implements NestInterceptor {
  constructor(private readonly renderer: Renderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const visit = visitOf(context.switchToHttp().getRequest<Request>());
    return next.handle().pipe(switchMap((reply: unknown) => from(this.answer(reply, visit))));
  }

  private async answer(reply: unknown, visit: Visit): Promise<unknown> {
    if (reply instanceof Page) await this.sendPage(reply, visit);
    else if (reply instanceof FormResult) await this.sendFormResult(reply.options, visit);
    else return reply;
    return undefined;
  }

  /** People who must have a second factor are shown the way to one before anything else. */
  private async sendPage({ options }: Page, visit: Visit): Promise<void> {
    const viewer = await visit.viewer();
    const isOnTheWay = visit.request.path.startsWith(SECURITY_PATH);
    if (viewer?.factorMissing && visit.request.method === 'GET' && !isOnTheWay)
      await this.sendFormResult({ goTo: SECURITY_PATH }, visit);
    else this.renderer.send(options, visit, viewer);
  }

  private async sendFormResult(
    { goTo, notice, fragment, data }: FormResultOptions,
    visit: Visit,
  ): Promise<void> {
    const { response } = visit;
    response.set('Cache-Control', 'no-store');
    if (!visit.wantsJson) {
      if (notice !== undefined) visit.setNotice(notice);
      response.redirect(303, goTo);
      return;
    }
    const html = fragment && this.renderer.fragment(fragment, visit, await visit.viewer());
    response.status(200).json({ ...data, notice, location: goTo, html });
  }
}
