import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/** Administration. Requires the role of an admin. */
export class Admin {
  constructor(private readonly transport: Transport) {}

  /** Changes the quota of an account. Omitted fields stay unchanged; null restores the default of the site. */
  async changeQuota(
    username: string,
    body: BodyOf<'changeAccountQuota'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeAccountQuota'>['quota']> {
    return (await this.transport.call('changeAccountQuota', { path: { username }, body }, options)).quota;
  }
}
