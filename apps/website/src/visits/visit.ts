import { createHash, randomBytes } from 'node:crypto';
import type { VitrineClient } from '@vitrine/client';
import type { Request, Response } from 'express';
import type { ApiClients } from './api-clients';
import type { FormTokens } from './form-tokens';
import type { CookieName, SiteCookies } from './site-cookies';
import type { Viewer, Viewers } from './viewers';
import { LogInFirst } from './log-in-first';
import { safePath } from './safe-path';

export interface VisitServices {
  readonly clients: ApiClients;
  readonly cookies: SiteCookies;
  readonly formTokens: FormTokens;
  readonly viewers: Viewers;
}

/** One request of a visitor: who they are, what they chose, and the API as they may use it. */
export class Visit {
  private readonly sent: Partial<Record<CookieName, string>>;
  private client: VitrineClient | undefined;
  private session: string | undefined;
  private known: Promise<Viewer | null> | undefined;
  private browserId: string | undefined;

  constructor(
    readonly request: Request,
    readonly response: Response,
    private readonly services: VisitServices,
  ) {
    this.sent = services.cookies.read(request);
    this.session = this.sent.session;
    this.browserId = this.sent.browser;
  }

  /** The API with the visitor's session, or as nobody. */
  get api(): VitrineClient {
    this.client ??= this.services.clients.for(this.request, this.session);
    return this.client;
  }

  /** Path and query of the page. Requests may name whole addresses (RFC 9112, 3.2.2); other hosts' are not led to. */
  get path(): string {
    return safePath(this.request.originalUrl);
  }

  get hasSession(): boolean {
    return this.session !== undefined;
  }

  /** Whether nothing of this browser is in its pages: no session, no guest, and no form of theirs. */
  get isNobody(): boolean {
    return !this.hasSession && this.guestToken === undefined && this.browserId === undefined;
  }

  /** Whether content that is marked nsfw is shown; remembered until the visitor says otherwise. */
  get showsNsfw(): boolean {
    return this.sent.nsfw === '1';
  }

  /** The token of what this browser uploaded as a guest. */
  get guestToken(): string | undefined {
    return this.sent.guest;
  }

  /** One line that the page before left for this one. */
  get notice(): string | undefined {
    return this.sent.notice;
  }

  /** Whether a script of ours asks, which takes JSON; else a browser that takes a page. */
  get wantsJson(): boolean {
    return this.request.get('Accept')?.startsWith('application/json') ?? false;
  }

  /** The API with another token than the visitor's own; undefined: as nobody. */
  apiWith(token: string | undefined): VitrineClient {
    return this.services.clients.for(this.request, token);
  }

  /** The account that is logged in; null for everybody else. Throws `VitrineError` where the session has ended. */
  viewer(): Promise<Viewer | null> {
    const { session } = this;
    this.known ??=
      session === undefined ? Promise.resolve(null) : this.services.viewers.find(session, this.api);
    return this.known;
  }

  /** The account that is logged in. Throws `LogInFirst`, which brings the visitor back here after the login. */
  async requireViewer(): Promise<Viewer> {
    const viewer = await this.viewer();
    if (!viewer) throw new LogInFirst();
    return viewer;
  }

  /** The account has changed: the next page asks for it anew. */
  forgetViewer(): void {
    this.known = undefined;
    if (this.session !== undefined) this.services.viewers.forget(this.session);
  }

  /** Begins a session of the API in this browser. Whatever was bound to the browser before ends: forms, another session. */
  beginSession(session: string): void {
    this.become(session);
    this.services.cookies.set(this.response, 'session', session);
  }

  /** Forgets the session in this browser; ending it is the API's. */
  dropSession(): void {
    this.become(undefined);
    this.services.cookies.clear(this.response, 'session');
  }

  chooseNsfw(shown: boolean): void {
    if (shown) this.services.cookies.set(this.response, 'nsfw', '1');
    else this.services.cookies.clear(this.response, 'nsfw');
  }

  keepGuestToken(token: string): void {
    this.services.cookies.set(this.response, 'guest', token);
  }

  dropGuestToken(): void {
    this.services.cookies.clear(this.response, 'guest');
  }

  leaveNotice(text: string): void {
    this.services.cookies.set(this.response, 'notice', [...text].slice(0, 500).join(''));
  }

  clearNotice(): void {
    if (this.sent.notice !== undefined) this.services.cookies.clear(this.response, 'notice');
  }

  /** A token for the forms of this page. Gives the browser a name first where there is no session to bind them to. */
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
   * A key under which the API carries out this very form once, however often it is sent. The same form with other
   * content (after the back button) is another request.
   */
  get idempotencyKey(): string {
    const body: unknown = this.request.body ?? {};
    const digest = createHash('sha256').update(this.request.path);
    for (const [name, value] of Object.entries(body as object).sort()) {
      if (name !== '_token') digest.update(JSON.stringify([name, value]));
    }
    return digest.digest('hex');
  }

  /** From here on, the page that is being made is for whoever holds `session`. */
  private become(session: string | undefined): void {
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
