import type { PublicUrlsConfig } from '@vitrine/runtime';

/** What every answer of a public host carries, files and unreadable requests too, unless its route says otherwise. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Tells browsers to use TLS from now on, but only if the public addresses are `https:`. */
export const transportSecurity = ({ api }: PublicUrlsConfig): Readonly<Record<string, string>> =>
  api.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
