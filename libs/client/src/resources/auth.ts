import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';

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

  /** Returns a challenge, on a site where new accounts and guests need a proof of work (`client.site()`). */
  async proofOfWork(
    purpose: QueryOf<'getProofOfWork'>['purpose'],
    options?: CallOptions,
  ): Promise<AnswerOf<'getProofOfWork'>['data']> {
    return (await this.transport.call('getProofOfWork', { query: { purpose } }, options)).data;
  }

  /** Opens a session; use it with `client.withToken(answer.session)`. */
  login(body: BodyOf<'login'>, options?: CallOptions): Promise<AnswerOf<'login'>> {
    return this.transport.call('login', { body }, options);
  }

  /** Ends the session whose token the client uses. */
  async logout(options?: CallOptions): Promise<void> {
    await this.transport.call('logout', {}, options);
  }
}
