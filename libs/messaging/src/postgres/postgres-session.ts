import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { sqlState } from '@vitrine/runtime';
import { Client, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

export interface PostgresSessionOptions {
  readonly url: string;
  /** What pg_stat_activity shows. */
  readonly applicationName: string;
  /** Channels to LISTEN on. */
  readonly channels: readonly string[];
  /** Server settings of the session. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs on each new connection before anybody else may use it. */
  readonly onConnect?: (client: Client) => Promise<void>;
  readonly onNotification?: (channel: string, payload: string) => void;
  /** Called after each connection is ready for use. */
  readonly onReady?: () => void;
}

/** A PostgreSQL whose client's machine has vanished notices after about 10 + 3 × 5 seconds. */
const KEEPALIVE = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };
/** Far more than any of our statements takes. */
const QUERY_TIMEOUT_MS = 20_000;
const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 5_000;

/** One connection of a session; after its loss every query on it fails, so nothing strays to the next one. */
export class SessionConnection {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly onBroken: (error: Error) => void,
  ) {}

  /** Runs after the queries asked for before: a connection takes one at a time. */
  query<Row extends QueryResultRow>(query: string | QueryConfig): Promise<QueryResult<Row>> {
    const result = this.tail.then(() => this.client.query<Row>(query));
    this.tail = result.catch((error: unknown) => {
      // No answer of PostgreSQL's: the connection is dead, though TCP may take a quarter of an hour to say so.
      if (error instanceof Error && sqlState(error) === undefined) this.onBroken(error);
    });
    return result;
  }
}

/** One dedicated connection that listens, and comes back by itself after each loss until it is closed. */
export class PostgresSession {
  private readonly logger = new Logger(PostgresSession.name);
  private client: Client | undefined;
  private current: SessionConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private closed = false;

  constructor(private readonly options: PostgresSessionOptions) {}

  /** Begins to connect; `onReady` tells when it is. */
  open(): void {
    void this.connect();
  }

  /** The live connection; undefined while there is none. */
  get live(): SessionConnection | undefined {
    return this.current;
  }

  /** The live connection, waited for at most `patienceMs`. */
  async ready(patienceMs: number): Promise<SessionConnection | undefined> {
    const deadline = Date.now() + patienceMs;
    while (!this.current && !this.closed && Date.now() < deadline) await sleep(10);
    return this.current;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.current = undefined;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { url, applicationName, settings, channels, onConnect } = this.options;
    const client = new Client({
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_TIMEOUT_MS,
      options: Object.entries({ ...KEEPALIVE, ...settings })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    });
    this.client = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, new Error('The connection has ended')));
    client.on('notification', ({ channel, payload }) =>
      this.options.onNotification?.(channel, payload ?? ''),
    );
    try {
      await client.connect();
      await onConnect?.(client);
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // Not waited for: ending what never began may take for ever.
      client.end().catch(() => undefined);
      this.reconnectAfter(error);
      return;
    }
    if (this.closed) {
      client.end().catch(() => undefined);
      return;
    }
    this.failures = 0;
    this.current = new SessionConnection(client, (error) => this.lost(client, error));
    this.options.onReady?.();
  }

  private lost(client: Client, error: Error): void {
    if (this.client !== client || !this.current) return;
    this.current = undefined;
    client.end().catch(() => undefined);
    if (this.closed) return;
    this.reconnectAfter(error);
  }

  private reconnectAfter(error: unknown): void {
    if (this.closed) return;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.failures++, LAST_DELAY_MS);
    const message = error instanceof Error ? error.message : String(error);
    this.logger.warn(`${this.options.applicationName}: ${message}; connecting again in ${delay} ms`);
    this.timer = setTimeout(() => void this.connect(), delay);
  }
}
