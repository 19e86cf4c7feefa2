import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { WebsiteConfig } from '../config/website.config';
import { visitOf } from './current-visit';
import { StaleFormError } from './errors';

/**
 * Accepts a request that changes something only if it comes from a page of this site that was shown to the same
 * visitor. It checks the origin that the browser sends and the form token (OWASP, Cross-Site Request Forgery
 * Prevention).
 */
@Injectable()
export class FormsGuard implements CanActivate {
  private readonly logger = new Logger(FormsGuard.name);
  private readonly origin: string;
  private hasWarned = false;

  constructor({ site }: WebsiteConfig) {
    this.origin = new URL(site).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    const isFromOurSite = this.isOfOurs(request);
    if (isFromOurSite === false) throw new StaleFormError('elsewhere');
    const { _token: token } = (request.body ?? {}) as { _token?: unknown };
    if (visitOf(request).acceptsFormToken(token)) return true;
    // The visitor can send a stale form again, but not a form that may come from another site.
    throw new StaleFormError(isFromOurSite ? 'stale' : 'elsewhere');
  }

  /** Undefined if the browser doesn't send an origin; then only the token counts. */
  private isOfOurs(request: Request): boolean | undefined {
    const site = request.get('Sec-Fetch-Site');
    if (site !== undefined) return site === 'same-origin';
    const origin = request.get('Origin');
    if (origin === undefined) return undefined;
    if (origin !== this.origin) this.warnOnceAboutOrigin(origin, request.get('Host'));
    return origin === this.origin;
  }

  /** Logs a wrong PUBLIC_SITE_URL once: with it, the site refuses all forms of its own pages. */
  private warnOnceAboutOrigin(origin: string, host: string | undefined): void {
    if (this.hasWarned || !URL.canParse(origin) || new URL(origin).host !== host) return;
    this.hasWarned = true;
    this.logger.warn(`A form of ${origin} was refused, because PUBLIC_SITE_URL is ${this.origin}`);
  }
}
