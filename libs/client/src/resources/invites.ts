import { Listing } from '../lists/listing';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';

/** Invites: links with which accounts can be created. Staff see those of all accounts, members their own. */
export class Invites extends Listing<AnswerOf<'listInvites'>, QueryOf<'listInvites'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listInvites', { query }, options));
  }

  /** Creates an invite. The result's `url` and `code` can't be read again later. */
  create(
    body: Partial<BodyOf<'createInvite'>> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<'createInvite'>> {
    return this.transport.call('createInvite', { body: { uses: 1, ...body } }, options);
  }

  async get(id: number, options?: CallOptions): Promise<AnswerOf<'getInvite'>['data']> {
    return (await this.transport.call('getInvite', { path: { id } }, options)).data;
  }

  /** Revokes an invite. Accounts that were created with it stay. */
  async revoke(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('revokeInvite', { path: { id } }, options);
  }
}
