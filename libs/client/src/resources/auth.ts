import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';
import type { OpenedSession, SecondFactorRequired } from '../api/types';

/** The password was right, and the account's second factor is required to complete the login. */
export class SecondFactorRequiredError extends Error {
  override readonly name = 'SecondFactorRequiredError';
  /** The secret that completes the login once, until `expiresAt` (RFC 3339). */
  readonly pendingLogin: string;
  /** What completes it. */
  readonly accepted: SecondFactorRequired['accepted'];
  readonly expiresAt: string;

  constructor({ message, pending_login, accepted, expires_at }: SecondFactorRequired) {
    super(message);
    this.pendingLogin = pending_login;
    this.accepted = accepted;
    this.expiresAt = expires_at;
  }
}

/** Registration, login and logout, for websites and apps. Scripts should use API tokens. */
export class Auth {
  constructor(private readonly transport: Transport) {}

  /** Creates an account and opens its first session; use it with `client.withToken(answer.session)`. */
  register(body: BodyOf<'register'>, options?: CallOptions): Promise<AnswerOf<'register'>> {
    return this.transport.call('register', { body }, options);
  }

  /** Applies for an account, on a site where staff decides on new accounts (`client.site()`). */
  async apply(body: BodyOf<'applyForAccount'>, options?: CallOptions): Promise<void> {
    await this.transport.call('applyForAccount', { body }, options);
  }

  /**
   * Opens a session; use it with `client.withToken(answer.session)`. Throws `SecondFactorRequiredError` if the account
   * has a second factor.
   */
  async login(body: BodyOf<'login'>, options?: CallOptions): Promise<OpenedSession> {
    return sessionOf(await this.transport.call('login', { body }, options));
  }

  /** Completes a login with its second factor, after `SecondFactorRequiredError`. */
  completeLogin(body: BodyOf<'completeLogin'>, options?: CallOptions): Promise<AnswerOf<'completeLogin'>> {
    return this.transport.call('completeLogin', { body }, options);
  }

  /** The options with which a browser completes a login with a passkey. */
  secondFactorOptions(
    body: BodyOf<'getSecondFactorOptions'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'getSecondFactorOptions'>> {
    return this.transport.call('getSecondFactorOptions', { body }, options);
  }

  /** The options with which a browser logs in with a passkey. */
  passkeyOptions(options?: CallOptions): Promise<AnswerOf<'getPasskeyLoginOptions'>> {
    return this.transport.call('getPasskeyLoginOptions', {}, options);
  }

  /** Opens a session with a passkey. */
  loginWithPasskey(
    body: BodyOf<'loginWithPasskey'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'loginWithPasskey'>> {
    return this.transport.call('loginWithPasskey', { body }, options);
  }

  /** Returns a challenge, on a site where new accounts and guests need a proof of work (`client.site()`). */
  async proofOfWork(
    purpose: QueryOf<'getProofOfWork'>['purpose'],
    options?: CallOptions,
  ): Promise<AnswerOf<'getProofOfWork'>['data']> {
    return (await this.transport.call('getProofOfWork', { query: { purpose } }, options)).data;
  }

  /** Begins a login with an identity provider (`client.site()` lists them). Only the website can finish it. */
  startProviderLogin(
    name: string,
    body: BodyOf<'startProviderLogin'> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<'startProviderLogin'>> {
    return this.transport.call('startProviderLogin', { path: { name }, body }, options);
  }

  /** Finishes a login with an identity provider. */
  finishProviderLogin(
    name: string,
    body: BodyOf<'finishProviderLogin'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'finishProviderLogin'>> {
    return this.transport.call('finishProviderLogin', { path: { name }, body }, options);
  }

  /** Creates an account for a person who has logged in with an identity provider. */
  registerWithProvider(
    name: string,
    body: BodyOf<'registerWithProvider'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'registerWithProvider'>> {
    return this.transport.call('registerWithProvider', { path: { name }, body }, options);
  }

  /** Ends sessions for an identity provider, which sends the logout token. */
  async endSessionsByProvider(
    name: string,
    body: BodyOf<'endSessionsByProvider'>,
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('endSessionsByProvider', { path: { name }, body }, options);
  }

  /** Requests a link to set a new password. The answer doesn't show whether the account exists. */
  async requestPasswordReset(body: BodyOf<'requestPasswordReset'>, options?: CallOptions): Promise<void> {
    await this.transport.call('requestPasswordReset', { body }, options);
  }

  /** Sets a new password with the code of a link; log in with it afterwards. */
  async completePasswordReset(body: BodyOf<'completePasswordReset'>, options?: CallOptions): Promise<void> {
    await this.transport.call('completePasswordReset', { body }, options);
  }

  /** Verifies an email address with the code of the link that was sent to it. */
  async verifyEmail(body: BodyOf<'verifyEmail'>, options?: CallOptions): Promise<void> {
    await this.transport.call('verifyEmail', { body }, options);
  }

  /**
   * Ends the session whose token the client uses. Returns the address at which the person can also end the session at
   * the identity provider that opened it; null if there is none.
   */
  async logout(options?: CallOptions): Promise<string | null> {
    return (await this.transport.call('logout', {}, options)).provider_logout_url;
  }
}

function sessionOf(answer: AnswerOf<'login'>): OpenedSession {
  if ('pending_login' in answer) throw new SecondFactorRequiredError(answer);
  return answer;
}
