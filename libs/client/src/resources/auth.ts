import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/** Registration, login and logout, for web sites and apps. Scripts should use API tokens. */
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

  /** Opens a session; use it with `client.withToken(answer.session)`. */
  login(body: BodyOf<'login'>, options?: CallOptions): Promise<AnswerOf<'login'>> {
    return this.transport.call('login', { body }, options);
  }

  /** Requests a link to set a new password. The answer doesn't say whether there is such an account. */
  async requestPasswordReset(body: BodyOf<'requestPasswordReset'>, options?: CallOptions): Promise<void> {
    await this.transport.call('requestPasswordReset', { body }, options);
  }

  /** Sets a new password with the code of a link; log in with it afterwards. */
  async completePasswordReset(body: BodyOf<'completePasswordReset'>, options?: CallOptions): Promise<void> {
    await this.transport.call('completePasswordReset', { body }, options);
  }

  /** Verifies an e-mail address with the code of the link that was sent to it. */
  async verifyEmail(body: BodyOf<'verifyEmail'>, options?: CallOptions): Promise<void> {
    await this.transport.call('verifyEmail', { body }, options);
  }

  /** Ends the session whose token the client uses. */
  async logout(options?: CallOptions): Promise<void> {
    await this.transport.call('logout', {}, options);
  }
}
