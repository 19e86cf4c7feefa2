import { createHash, randomBytes } from 'node:crypto';
import type { VitrineClient } from '@vitrine/client';
import type { Request, Response } from 'express';
import type { ApiClients } from './api-clients';
import type { FormTokens } from './form-tokens';
import type { CookieName, SiteCookies } from './site-cookies';
import type { Viewer, Viewers } from './viewers';
import { LogInRequiredError } from './errors';
import { safePath } from './safe-path';

export interface VisitServices {
  readonly clients: ApiClients;
  readonly cookies: SiteCookies;
  readonly formTokens: FormTokens;
  readonly viewers: Viewers;
}

/** The colours that a visitor can choose instead of those of the device. */
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** One request of a visitor: their session, their choices, and an API client that acts for them. */
export class Visit {
  private readonly cookies: Partial<Record<CookieName, string>>;
  private client: VitrineClient | undefined;
  private session: string | undefined;
  private known: Promise<Viewer | null> | undefined;
  private browserId: string | undefined;

  constructor(
    readonly request: Request,
    readonly response: Response,
    private readonly services: VisitServices,
  ) {
    this.cookies = services.cookies.read(request);
    this.session = this.cookies.session;
    this.browserId = this.cookies.browser;
  }

  /** The API client with the visitor's session, or anonymous. */
  get api(): VitrineClient {
    this.client ??= this.services.clients.for(this.request, this.session);
    return this.client;
  }

  /**
   * Path and query of the page. Requests may contain an absolute address (RFC 9112, 3.2.2); other hosts are dropped.
   */
  get path(): string {
    return safePath(this.request.originalUrl);
  }

  get hasSession(): boolean {
    return this.session !== undefined;
  }

  /** Whether the pages for this browser contain nothing personal: no session, no guest, and no form tokens. */
  get isUnknownBrowser(): boolean {
    return !this.hasSession && this.guestToken === undefined && this.browserId === undefined;
  }

  /** Whether the visitor has chosen to see nsfw content. */
  get showsNsfw(): boolean {
    return this.cookies.nsfw === '1';
  }

  /** The chosen colours; undefined: those of the device. */
  get theme(): Theme | undefined {
    return THEMES.find((theme) => theme === this.cookies.theme);
  }

  /** The token of this browser's guest. */
  get guestToken(): string | undefined {
    return this.cookies.guest;
  }

  /** What the API gave this browser at its last login; undefined before the first. */
  get device(): string | undefined {
    const { device } = this.cookies;
    return device !== undefined && /^\w{1,100}$/.test(device) ? device : undefined;
  }

  /** One line that the previous request left for this page, and the link that it offers to copy, or ''. */
  get notice(): { readonly text: string; readonly link: string } | undefined {
    const [text, link = ''] = this.cookies.notice?.split('\n') ?? [];
    return text === undefined ? undefined : { text, link };
  }

  /** Whether one of the site's scripts sent the request and expects JSON instead of a page. */
  get wantsJson(): boolean {
    return this.request.get('Accept')?.startsWith('application/json') ?? false;
  }

  /** An API client with another token; undefined: anonymous. */
  apiWith(token: string | undefined): VitrineClient {
    return this.services.clients.for(this.request, token);
  }

  /** An anonymous API client for answers to programs: what it reads doesn't count as viewed. */
  get apiForPrograms(): VitrineClient {
    return this.services.clients.for(this.request, undefined, false);
  }

  /** As `api`; what it reads doesn't count as viewed. */
  get apiWithoutViews(): VitrineClient {
    return this.services.clients.for(this.request, this.session, false);
  }

  /** The account that is logged in; null without a session. Throws `VitrineError` if the session has ended. */
  viewer(): Promise<Viewer | null> {
    const { session } = this;
    this.known ??=
      session === undefined ? Promise.resolve(null) : this.services.viewers.find(session, this.api);
    return this.known;
  }

  /**
   * The account that is logged in. Throws `LogInRequiredError`, which sends the visitor to the login and then back
   * here.
   */
  async requireViewer(): Promise<Viewer> {
    const viewer = await this.viewer();
    if (!viewer) throw new LogInRequiredError();
    return viewer;
  }

  /** Call this after a change of the account: the next page loads it again. */
  forgetViewer(): void {
    this.known = undefined;
    if (this.session !== undefined) this.services.viewers.forget(this.session);
  }

  /** Stores a session in this browser, and that it has logged in. Forms and sessions from before become invalid. */
  beginSession(session: string, device: string | null): void {
    this.switchSession(session);
    this.services.cookies.set(this.response, 'session', session);
    if (device !== null) this.services.cookies.set(this.response, 'device', device);
  }

  /** Removes the session from this browser; it doesn't end the session in the API. */
  clearSession(): void {
    this.switchSession(undefined);
    this.services.cookies.clear(this.response, 'session');
  }

  chooseNsfw(shown: boolean): void {
    if (shown) this.services.cookies.set(this.response, 'nsfw', '1');
    else this.services.cookies.clear(this.response, 'nsfw');
  }

  /** Undefined: the colours of the device. */
  chooseTheme(theme: Theme | undefined): void {
    if (theme) this.services.cookies.set(this.response, 'theme', theme);
    else this.services.cookies.clear(this.response, 'theme');
  }

  storeGuestToken(token: string): void {
    this.services.cookies.set(this.response, 'guest', token);
  }

  clearGuestToken(): void {
    this.services.cookies.clear(this.response, 'guest');
  }

  /** What this browser remembers of a login with an identity provider that is in progress. */
  get providerLogin(): URLSearchParams {
    return new URLSearchParams(this.cookies.login ?? '');
  }

  rememberProviderLogin(values: Readonly<Record<string, string>>): void {
    this.services.cookies.set(this.response, 'login', new URLSearchParams(values).toString());
  }

  forgetProviderLogin(): void {
    this.services.cookies.clear(this.response, 'login');
  }

  setNotice(text: string, link = ''): void {
    const line = [...text].slice(0, 500).join('').replaceAll('\n', ' ');
    this.services.cookies.set(this.response, 'notice', link === '' ? line : `${line}\n${link}`);
  }

  clearNotice(): void {
    if (this.cookies.notice !== undefined) this.services.cookies.clear(this.response, 'notice');
  }

  /**
   * Issues a token for the forms of this page. Without a session, it is bound to a random identifier that the browser
   * gets in a cookie.
   */
  formToken(): string {
    if (!this.hasSession && this.browserId === undefined) {
      this.browserId = randomBytes(18).toString('base64url');
      this.services.cookies.set(this.response, 'browser', this.browserId);
    }
    return this.services.formTokens.issue(this.formSubject() ?? '');
  }

  acceptsFormToken(token: unknown): boolean {
    const subject = this.formSubject();
    return subject !== undefined && this.services.formTokens.accepts(token, subject);
  }

  /**
   * An idempotency key, with which the API executes this form only once, however often it is sent. The same form with
   * other content (after the back button) has another key.
   */
  get idempotencyKey(): string {
    const body: unknown = this.request.body ?? {};
    const digest = createHash('sha256').update(this.request.path);
    for (const [name, value] of Object.entries(body as object).sort()) {
      if (name !== '_token') digest.update(JSON.stringify([name, value]));
    }
    return digest.digest('hex');
  }

  /** Switches the visit to another session; undefined: none. */
  private switchSession(session: string | undefined): void {
    this.forgetViewer();
    this.session = session;
    this.client = undefined;
    this.browserId = undefined;
    this.services.cookies.clear(this.response, 'browser');
  }

  private formSubject(): string | undefined {
    if (this.session !== undefined) return `session:${this.session}`;
    return this.browserId === undefined ? undefined : `browser:${this.browserId}`;
  }
}
