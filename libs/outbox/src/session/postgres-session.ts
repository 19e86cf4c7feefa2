import { Logger } from '@nestjs/common';
import { Backoff } from '@vitrine/concurrency';
import { sqlState } from '@vitrine/runtime';
import { Client, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

export interface PostgresSessionOptions {
  readonly url: string;
  /** The name in pg_stat_activity. */
  readonly applicationName: string;
  /** PostgreSQL's settings for the session. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs on each new connection before it is used. */
  readonly onConnect?: (client: Client) => Promise<void>;
}

/** Gets the payload of each notification, and undefined after each connection, before which some may have been lost. */
export type ChannelListener = (payload: string | undefined) => void;

/** With these, PostgreSQL notices after about 10 + 3 × 5 seconds that the machine of a client is gone. */
const KEEPALIVE = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' };
/** Much longer than any of our statements takes. */
const QUERY_TIMEOUT_MS = 20_000;

/** One connection of a session. After its loss every query on it fails, so that none runs on the next connection. */
export class SessionConnection {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly onBroken: (error: Error) => void,
  ) {}

  /** Runs a query after the earlier ones: a connection runs one at a time. */
  query<Row extends QueryResultRow>(query: string | QueryConfig): Promise<QueryResult<Row>> {
    const result = this.tail.then(() => this.client.query<Row>(query));
    this.tail = result.catch((error: unknown) => {
      // PostgreSQL didn't answer: the connection is dead, although TCP may take a quarter of an hour to notice.
      if (error instanceof Error && sqlState(error) === undefined) this.onBroken(error);
    });
    return result;
  }
}

/** A dedicated connection that listens on channels, and is restored after each loss until it is closed. */
export class PostgresSession {
  private readonly logger = new Logger(PostgresSession.name);
  private readonly listeners = new Map<string, ChannelListener>();
  private client: Client | undefined;
  private current: SessionConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff({ firstMs: 100, longestMs: 5_000 });
  private closed = false;

  constructor(private readonly options: PostgresSessionOptions) {}

  /** Listens on a channel. To be called before `open`. */
  listen(channel: string, listener: ChannelListener): void {
    this.listeners.set(channel, listener);
  }

  /** Begins to connect. */
  open(): void {
    void this.connect();
  }

  /** The open connection; undefined if there is none. */
  get live(): SessionConnection | undefined {
    return this.current;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.current = undefined;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { url, applicationName, settings, onConnect } = this.options;
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
    client.on('notification', ({ channel, payload }) => this.listeners.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      await onConnect?.(client);
      for (const channel of this.listeners.keys())
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // Without waiting: ending a connection that was never opened may not resolve.
      client.end().catch(() => undefined);
      this.reconnectAfter(error);
      return;
    }
    if (this.closed) {
      client.end().catch(() => undefined);
      return;
    }
    this.backoff.reset();
    this.current = new SessionConnection(client, (error) => this.lost(client, error));
    for (const listener of this.listeners.values()) listener(undefined);
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
    const delay = this.backoff.afterFailure();
    const message = error instanceof Error ? error.message : String(error);
    this.logger.warn(`${this.options.applicationName}: ${message}; connecting again in ${delay} ms`);
    this.timer = setTimeout(() => void this.connect(), delay);
  }
}
