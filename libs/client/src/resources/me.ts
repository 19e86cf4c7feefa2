import type { BodyOf, CallOptions, Transport } from '../transport/transport';
import type { Account, CurrentToken } from '../api/types';

/** The caller's own account. */
export class Me {
  constructor(private readonly transport: Transport) {}

  async get(options?: CallOptions): Promise<Account> {
    return (await this.transport.call('getMe', {}, options)).data;
  }

  /** The client's own token, with its scopes and when it expires. */
  async token(options?: CallOptions): Promise<CurrentToken> {
    return (await this.transport.call('getMe', {}, options)).token;
  }

  /** Updates the profile. Omitted fields stay unchanged; null clears a field. */
  async update(changes: BodyOf<'updateMe'>, options?: CallOptions): Promise<Account> {
    return (await this.transport.call('updateMe', { body: changes }, options)).data;
  }

  /** Changes the password and ends all other sessions. Requires a session. */
  async changePassword(body: BodyOf<'changePassword'>, options?: CallOptions): Promise<void> {
    await this.transport.call('changePassword', { body }, options);
  }

  /** Deletes the account and all of its content. This cannot be undone. Requires a session. */
  async delete(body: BodyOf<'deleteMe'>, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteMe', { body }, options);
  }
}
