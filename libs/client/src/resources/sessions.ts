import type { BodyOf, CallOptions, Transport } from '../transport/transport';
import type { Session } from '../api/types';

/** The sessions of the caller's account. Requires a session. */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  /** Lists the sessions, most recently used first. `current` marks the client's own session. */
  async list(options?: CallOptions): Promise<readonly Session[]> {
    return (await this.transport.call('listSessions', {}, options)).data;
  }

  /** Ends a session. Unless it is the client's own, `current_password` or `code` is required. */
  async end(id: number, body: BodyOf<'endSession'> = {}, options?: CallOptions): Promise<void> {
    await this.transport.call('endSession', { path: { id }, body }, options);
  }

  /** Ends all sessions except the client's own, and all upload tickets. Requires `current_password` or `code`. */
  async endOthers(body: BodyOf<'endOtherSessions'>, options?: CallOptions): Promise<void> {
    await this.transport.call('endOtherSessions', { body }, options);
  }
}
