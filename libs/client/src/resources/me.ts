import type { BodyOf, CallOptions, Transport } from '../transport';
import type { Account } from '../types';

/** One's own account. */
export class Me {
  constructor(private readonly transport: Transport) {}

  async get(options?: CallOptions): Promise<Account> {
    return (await this.transport.call('getMe', {}, options)).data;
  }

  /** Absent fields keep their values, null clears them. */
  async update(changes: BodyOf<'updateMe'>, options?: CallOptions): Promise<Account> {
    return (await this.transport.call('updateMe', { body: changes }, options)).data;
  }

  /** Ends all other sessions. A session is needed. */
  async changePassword(body: BodyOf<'changePassword'>, options?: CallOptions): Promise<void> {
    await this.transport.call('changePassword', { body }, options);
  }

  /** Deletes the account and all that is its own, for good. A session is needed. */
  async delete(body: BodyOf<'deleteMe'>, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteMe', { body }, options);
  }
}
