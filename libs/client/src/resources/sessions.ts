import type { CallOptions, Transport } from '../transport/transport';
import type { Session } from '../api/types';

/** The sessions of the caller's account. Requires a session. */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  /** Lists the sessions, most recently used first. `current` marks the client's own session. */
  async list(options?: CallOptions): Promise<readonly Session[]> {
    return (await this.transport.call('listSessions', {}, options)).data;
  }

  /** Ends a session, which may be the client's own. */
  async end(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('endSession', { path: { id } }, options);
  }

  /** Ends all sessions except the client's own, and all upload tickets. */
  async endOthers(options?: CallOptions): Promise<void> {
    await this.transport.call('endOtherSessions', {}, options);
  }
}
