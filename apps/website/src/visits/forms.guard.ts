import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { WebsiteConfig } from '../website.config';
import { visitOf } from './current-visit';
import { StaleForm } from './stale-form';

/**
 * Lets a request that changes something through only where it comes from a page of ours that was shown to this very
 * visitor: by what the browser says of its origin, and by the form's token (OWASP, Cross-Site Request Forgery Prevention).
 */
@Injectable()
export class FormsGuard implements CanActivate {
  private readonly logger = new Logger(FormsGuard.name);
  private readonly origin: string;
  private hasWarned = false;

  constructor(@Inject(WebsiteConfig) { site }: WebsiteConfig) {
    this.origin = new URL(site).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    const isOfOurs = this.isOfOurs(request);
    if (isOfOurs === false) throw new StaleForm('elsewhere');
    const { _token: token } = (request.body ?? {}) as { _token?: unknown };
    if (visitOf(request).acceptsFormToken(token)) return true;
    // A stale form is offered to its visitor again; one that might be from anywhere is not.
    throw new StaleForm(isOfOurs ? 'stale' : 'elsewhere');
  }

  /** Undefined for browsers that say nothing of it: these are left to the token. */
  private isOfOurs(request: Request): boolean | undefined {
    const site = request.get('Sec-Fetch-Site');
    if (site !== undefined) return site === 'same-origin';
    const origin = request.get('Origin');
    if (origin === undefined) return undefined;
    if (origin !== this.origin) this.warnOnceOf(origin, request.get('Host'));
    return origin === this.origin;
  }

  /** A site that is reached by another address than it thinks of as its own refuses every form of its own pages. */
  private warnOnceOf(origin: string, host: string | undefined): void {
    if (this.hasWarned || !URL.canParse(origin) || new URL(origin).host !== host) return;
    this.hasWarned = true;
    this.logger.warn(`A form of ${origin} was refused, because PUBLIC_SITE_URL says ${this.origin}`);
  }
}
