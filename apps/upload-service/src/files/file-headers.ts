import { SECURITY_HEADERS, transportSecurity } from '@vitrine/http';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** Files come from untrusted uploaders: the sandbox lets nothing in them run, and every site may show them. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id',
} as const;

/** The headers that the framework adds to each answer with a file, for answers without it: names and values in turn. */
export function commonFields(urls: PublicUrlsConfig): readonly string[] {
  const { 'Cache-Control': _, ...security } = SECURITY_HEADERS;
  return Object.entries({ ...security, ...transportSecurity(urls), ...FILE_HEADERS }).flat();
}
