import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport';

/** Accounts and sessions; the website's way in. Programs use API tokens. */
export class Auth {
  constructor(private readonly transport: Transport) {}

  /** Opens an account, and a session with it: `client.withToken(answer.session)`. */
  register(body: BodyOf<'register'>, options?: CallOptions): Promise<AnswerOf<'register'>> {
    return this.transport.call('register', { body }, options);
  }

  /** Opens a session: `client.withToken(answer.session)`. */
  login(body: BodyOf<'login'>, options?: CallOptions): Promise<AnswerOf<'login'>> {
    return this.transport.call('login', { body }, options);
  }

  /** Ends the client's own session. */
  async logout(options?: CallOptions): Promise<void> {
    await this.transport.call('logout', {}, options);
  }
}
