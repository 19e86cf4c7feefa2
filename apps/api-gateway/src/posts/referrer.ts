import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { Request } from 'express';

const MAX_HOST = 100;

/** Ends in the name of a domain. Local names and addresses are no sites, and would tell where a visitor works. */
const SITE = /\.[a-z][a-z\d-]*\.?(?::\d+)?$/;

/** The host of the site whose link led to the request, without `www.`; null if it is unknown, too long, or this site. */
export function referrerOf(request: Request, { site, api }: PublicUrlsConfig): string | null {
  const sent = request.get('Referer');
  if (sent === undefined || !URL.canParse(sent)) return null;
  const { protocol, host } = new URL(sent);
  const isOwn = [site, api].some((own) => new URL(own).host === host);
  if (isOwn || !/^https?:$/.test(protocol) || !SITE.test(host) || host.length > MAX_HOST) return null;
  return host.replace(/^www\./, '');
}
