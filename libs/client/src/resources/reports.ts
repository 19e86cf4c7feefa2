import type { AccessKeyQuery, BodyOf, CallOptions, Transport } from '../transport';
import type { OwnReport } from '../types';

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

  /** One of the account's own reports. */
  async get(id: number, options?: CallOptions): Promise<OwnReport> {
    return (await this.transport.call('getReport', { path: { id } }, options)).data;
  }
}
