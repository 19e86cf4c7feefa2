import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { WebsiteConfig } from '../website.config';

/**
 * What the site keeps in a browser: `session` (the API session), `guest` (the token of a guest's uploads), `browser`
 * (a random name that forms of visitors without a session are bound to), `nsfw` (the choice to see it), `notice` (one
 * line for the next page).
 */
export type CookieName = 'session' | 'guest' | 'browser' | 'nsfw' | 'notice';

const DAY = 86_400;

/** Seconds that each is kept; without: until the browser is closed. */
const MAX_AGE: Readonly<Partial<Record<CookieName, number>>> = {
  // The API ends a session 30 days after its last use, and each use moves that on; the cookie must not end it before.
  // Browsers keep none for longer (RFC 6265bis, 5.5).
  session: 400 * DAY,
  guest: 365 * DAY,
  nsfw: 365 * DAY,
  notice: 60,
};

/**
 * Reads and writes the site's cookies. All are HttpOnly, SameSite=Lax and of the whole host; over HTTPS they carry the
 * prefix `__Host-`, with which no other host of the domain can set them (RFC 6265bis, 4.1.3.2).
 */
@Injectable()
export class SiteCookies {
  private readonly secure: boolean;

  constructor(@Inject(WebsiteConfig) config: WebsiteConfig) {
    this.secure = config.site.startsWith('https:');
  }

  /** All cookies of the site that a request brings. */
  read(request: Request): Partial<Record<CookieName, string>> {
    const sent = parseCookie(request.headers.cookie ?? '');
    const names: readonly CookieName[] = ['session', 'guest', 'browser', 'nsfw', 'notice'];
    return Object.fromEntries(
      names.flatMap((name) => {
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
    // A later word on the same cookie takes the place of an earlier one.
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

/** A token that no header takes is none of ours: with it the API would seem to be away for as long as it is kept. */
const isUnsendable = (name: CookieName, value: string): boolean =>
  (name === 'session' || name === 'guest') && !/^[\x21-\x7e]+$/.test(value);
