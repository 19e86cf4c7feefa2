import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';
import type { ApiToken } from '../api/types';

/** The caller's API tokens. All methods but `revokeCurrent` require a session. */
export class Tokens {
  constructor(private readonly transport: Transport) {}

  async list(options?: CallOptions): Promise<readonly ApiToken[]> {
    return (await this.transport.call('listTokens', {}, options)).data;
  }

  async get(id: number, options?: CallOptions): Promise<ApiToken> {
    return (await this.transport.call('getToken', { path: { id } }, options)).data;
  }

  /** Creates a token. The result's `token` is the secret; the API never shows it again. */
  create(body: BodyOf<'createToken'>, options?: CallOptions): Promise<AnswerOf<'createToken'>> {
    return this.transport.call('createToken', { body }, options);
  }

  async revoke(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('revokeToken', { path: { id } }, options);
  }

  /** Revokes the client's own token, or ends its session. */
  async revokeCurrent(options?: CallOptions): Promise<void> {
    await this.transport.call('revokeCurrentToken', {}, options);
  }
}
