import type { CallOptions, Transport } from '../transport';
import type { Session } from '../types';

/** Where one is logged in; a session is needed. */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  /** The latest used first; the client's own is `current`. */
  async list(options?: CallOptions): Promise<readonly Session[]> {
    return (await this.transport.call('listSessions', {}, options)).data;
  }

  /** Ends one of them, the client's own too. */
  async end(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('endSession', { path: { id } }, options);
  }

  /** Ends all but the client's own, and all upload tickets. */
  async endOthers(options?: CallOptions): Promise<void> {
    await this.transport.call('endOtherSessions', {}, options);
  }
}
