import type { WebsiteConfig } from '../config/website.config';

/**
 * The headers that limit what pages may load and run: scripts and styles of this site, files of the file host, requests
 * to this site and the upload host, and nothing else.
 */
export function securityHeaders({ cdn, upload, site }: WebsiteConfig): Readonly<Record<string, string>> {
  const [files, uploads] = [new URL(cdn).origin, new URL(upload).origin];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${files}`,
    `media-src blob: ${files}`,
    `connect-src 'self' ${uploads}`,
    "form-action 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vitrine',
  ].join('; ');
  return {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), browsing-topics=()',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(site.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
