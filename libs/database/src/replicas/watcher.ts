import { Client, type ClientConfig, type QueryResultRow } from 'pg';

/** A server that doesn't answer so small a question within this time answers nothing. */
const PATIENCE_MS = 1000;

/** One session in which a server is asked again and again, apart from pools that may be exhausted; made anew where it fails. */
export class Watcher {
  private client: Client | undefined;
  private connecting: Promise<Client> | undefined;
  private closed = false;

  /** `patienceMs`: for a connection, and for an answer. */
  constructor(
    private readonly config: ClientConfig,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** The one row of a statement's answer. Throws where there is none within twice its patience. */
  async ask<Row extends QueryResultRow>(text: string): Promise<Row> {
    const client = this.client ?? (await this.connectOnce());
    try {
      const { rows } = await client.query<Row>({ text, query_timeout: this.patienceMs } as { text: string });
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

  private connectOnce(): Promise<Client> {
    this.connecting ??= this.connect().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async connect(): Promise<Client> {
    const client = new Client({ ...this.config, connectionTimeoutMillis: this.patienceMs, keepAlive: true });
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
