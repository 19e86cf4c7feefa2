import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { WebsiteConfig } from '../config/website.config';

/**
 * The site's cookies: `session` (the API session), `guest` (the token of a guest's uploads), `browser` (a random
 * identifier for the form tokens of visitors without a session), `device` (by which accounts know that this browser has
 * logged in before), `nsfw` (the choice to see nsfw content), `theme` (the choice of light or dark colours), `notice` (one line for the next page), `login` (what
 * finishes a login with an identity provider).
 */
const COOKIES = ['session', 'guest', 'browser', 'device', 'nsfw', 'theme', 'notice', 'login'] as const;
export type CookieName = (typeof COOKIES)[number];

const DAY = 86_400;

/** Lifetime of each cookie in seconds; the others last until the browser is closed. */
const MAX_AGE: Readonly<Partial<Record<CookieName, number>>> = {
  // The API ends a session 30 days after its last use, so the cookie must last longer. Browsers allow at most 400 days
  // (RFC 6265bis, 5.5).
  session: 400 * DAY,
  device: 400 * DAY,
  guest: 365 * DAY,
  nsfw: 365 * DAY,
  theme: 365 * DAY,
  notice: 60,
  // As long as a newcomer may take to choose a username.
  login: 1800,
};

/**
 * Reads and writes the site's cookies. All are HttpOnly and SameSite=Lax with the path `/`. Over HTTPS their names have
 * the prefix `__Host-`, so no other host of the domain can set them (RFC 6265bis, 4.1.3.2).
 */
@Injectable()
export class SiteCookies {
  private readonly secure: boolean;

  constructor(config: WebsiteConfig) {
    this.secure = config.site.startsWith('https:');
  }

  /** The site's cookies in a request. */
  read(request: Request): Partial<Record<CookieName, string>> {
    const sent = parseCookie(request.headers.cookie ?? '');
    return Object.fromEntries(
      COOKIES.flatMap((name) => {
        const value = sent[this.nameOf(name)];
        return value === undefined || value === '' || isUnsendable(name, value) ? [] : [[name, value]];
      }),
    );
  }

  set(response: Response, name: CookieName, value: string): void {
    this.write(response, name, value, MAX_AGE[name]);
  }

  clear(response: Response, name: CookieName): void {
    this.write(response, name, '', 0);
  }

  private write(response: Response, name: CookieName, value: string, maxAge: number | undefined): void {
    const line = stringifySetCookie({
      name: this.nameOf(name),
      value,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.secure,
      path: '/',
      ...(maxAge !== undefined && { maxAge }),
    });
    // A later value replaces an earlier one of the same cookie.
    const others = [response.getHeader('Set-Cookie') ?? []]
      .flat()
      .map(String)
      .filter((other) => !other.startsWith(`${this.nameOf(name)}=`));
    response.setHeader('Set-Cookie', [...others, line]);
  }

  private nameOf(name: CookieName): string {
    return this.secure ? `__Host-vitrine_${name}` : `vitrine_${name}`;
  }
}

/** A token that isn't valid in a header was not issued by the API. Sending it would fail each request. */
const isUnsendable = (name: CookieName, value: string): boolean =>
  (name === 'session' || name === 'guest') && !/^[\x21-\x7e]+$/.test(value);
