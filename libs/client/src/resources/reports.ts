import type { AccessKeyQuery, BodyOf, CallOptions, Transport } from '../transport';

/** What moderators should look at. */
export class Reports {
  constructor(private readonly transport: Transport) {}

  /** Reporting the same again changes nothing. */
  async create(
    body: BodyOf<'createReport'>,
    query: AccessKeyQuery = {},
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('createReport', { body, query }, options);
  }
}
