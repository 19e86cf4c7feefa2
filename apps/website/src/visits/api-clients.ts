import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Fetch, VitrineClient } from '@vitrine/client';
import { correlationId, currentTraceparent, inSpan, isView } from '@vitrine/runtime';
import type { Request } from 'express';
import { WebsiteConfig } from '../config/website.config';
import { httpFetch } from './http-fetch';

/** Timeout of a request to the API in milliseconds. */
const TIMEOUT_MS = 15_000;
/** How often a form that was sent twice is sent again while its first sending is in progress. */
const MAX_ATTEMPTS_IN_PROGRESS = 5;

/** Creates API clients that act for a visitor: with their session, and counted under their address. */
@Injectable()
export class ApiClients {
  constructor(private readonly config: WebsiteConfig) {}

  /**
   * A client for the visitor who sent `request`. `token`: their session or guest token; undefined: anonymous. `countsViews`:
   * whether the posts that it reads are shown to somebody.
   */
  for(request: Request, token: string | undefined, countsViews = isView(request)): VitrineClient {
    const { internalApi, api, upload, siteServiceKey } = this.config;
    const agent = request.get('User-Agent');
    const referer = request.get('Referer');
    return new VitrineClient({
      baseUrl: internalApi || api,
      uploadUrl: upload,
      token,
      fetch: fetchInTime,
      // A visitor waits, so there is one retry if the connection fails, and none if the API sends Retry-After.
      retry: { attempts: 2, baseDelayMs: 50, maxRetryAfterMs: 0 },
      headers: {
        'X-Request-Id': correlationId(),
        // The API counts views; a page that a browser prefetches is not a view.
        ...(!countsViews && { 'Sec-Purpose': 'prefetch' }),
        // Only the site of the link, for the statistics of posts.
        ...(referer !== undefined && URL.canParse(referer) && { Referer: new URL(referer).origin }),
        ...(siteServiceKey !== '' && {
          'X-Vitrine-Site-Key': siteServiceKey,
          'X-Vitrine-Visitor': request.ip ?? '',
          ...(agent !== undefined && { 'X-Vitrine-Visitor-Agent': agent.slice(0, 512) }),
        }),
      },
    });
  }
}

const fetchInTime: Fetch = (url, init) => {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  const { method = 'GET' } = init;
  // The span doesn't contain the address, which includes slugs, access keys and searches.
  const attributes = { 'http.request.method': method };
  return inSpan(`${method} API`, { kind: 'client', attributes }, async (span) => {
    const answer = await onceFinished(
      () => httpFetch(url, { ...init, ...traced(init.headers), signal }),
      signal,
    );
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
};

/**
 * Repeats a request as long as the API answers that the same request, with the same idempotency key, is in progress (409
 * with `Retry-After`): a visitor who clicked twice gets the result of the first click.
 */
async function onceFinished(send: () => ReturnType<Fetch>, signal: AbortSignal): ReturnType<Fetch> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send();
    const seconds = Number(answer.headers.get('Retry-After'));
    if (answer.status !== 409 || !seconds || attempt === MAX_ATTEMPTS_IN_PROGRESS) return answer;
    await pause(seconds * 1000, undefined, { signal });
  }
}

/** The headers that connect the API's spans to the visitor's trace. */
function traced(headers: RequestInit['headers']): Pick<RequestInit, 'headers'> {
  const traceparent = currentTraceparent();
  if (traceparent === undefined) return {};
  const all = new Headers(headers);
  all.set('traceparent', traceparent);
  return { headers: all };
}
