import { SingleFlight, withDeadline } from '@vitrine/concurrency';
import { Client, type ClientConfig, type QueryResultRow } from 'pg';

/** A server that doesn't answer a small query within this time counts as unreachable. */
const PATIENCE_MS = 1000;

/** A session outside the pools, which may be exhausted, for repeated small queries; it reconnects after a failure. */
export class Watcher {
  private client: Client | undefined;
  private readonly connection = new SingleFlight(() => this.connect());
  private closed = false;

  constructor(private readonly config: ClientConfig) {}

  /** Returns the first row of the result. Rejects if there is none within twice the patience. */
  async ask<Row extends QueryResultRow>(text: string): Promise<Row> {
    const client = this.client ?? (await this.connection.run());
    try {
      const deadline = { ms: PATIENCE_MS, late: () => new Error('No answer in time') };
      const { rows } = await withDeadline(deadline, () => client.query<Row>(text));
      if (!rows[0]) throw new Error('No answer');
      return rows[0];
    } catch (error) {
      this.drop(client);
      throw error;
    }
  }

  close(): void {
    this.closed = true;
    if (this.client) this.drop(this.client);
  }

  private async connect(): Promise<Client> {
    const client = new Client({ ...this.config, connectionTimeoutMillis: PATIENCE_MS, keepAlive: true });
    client.on('error', () => this.drop(client));
    try {
      await client.connect();
    } catch (error) {
      this.drop(client);
      throw error;
    }
    this.client = client;
    if (this.closed) this.drop(client);
    return client;
  }

  private drop(client: Client): void {
    if (this.client === client) this.client = undefined;
    void client.end().catch(() => undefined);
  }
}
