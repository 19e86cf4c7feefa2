import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';
import type { OwnReport } from '../api/types';

/** Reports to the moderators. */
export class Reports {
  constructor(private readonly transport: Transport) {}

  /** Reports an item. Reporting the same item again changes nothing. */
  async create(
    body: BodyOf<'createReport'>,
    query: QueryOf<'createReport'> = {},
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('createReport', { body, query }, options);
  }

  /** Returns one of the caller's own reports. */
  async get(id: number, options?: CallOptions): Promise<OwnReport> {
    return (await this.transport.call('getReport', { path: { id } }, options)).data;
  }
}
