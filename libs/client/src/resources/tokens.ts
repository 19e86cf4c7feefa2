import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport';
import type { ApiToken } from '../types';

/** API tokens of one's own; a session is needed. */
export class Tokens {
  constructor(private readonly transport: Transport) {}

  async list(options?: CallOptions): Promise<readonly ApiToken[]> {
    return (await this.transport.call('listTokens', {}, options)).data;
  }

  async get(id: number, options?: CallOptions): Promise<ApiToken> {
    return (await this.transport.call('getToken', { path: { id } }, options)).data;
  }

  /** Makes a token; the answer's `token` is its secret, shown this once. */
  create(body: BodyOf<'createToken'>, options?: CallOptions): Promise<AnswerOf<'createToken'>> {
    return this.transport.call('createToken', { body }, options);
  }

  async revoke(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('revokeToken', { path: { id } }, options);
  }
}
