import { Logger } from '@nestjs/common';
import { connect, type ChannelModel, type RecoveringChannelModel } from 'amqplib';
import { BusUnavailableError } from '../transport/transport-errors';
import { ConfirmedChannel } from './confirmed-channel';

/** One open connection. */
export interface Link {
  readonly model: ChannelModel;
  readonly publisher: ConfirmedChannel;
}

export interface RabbitMqLinkOptions {
  readonly url: string;
  readonly name: string;
  /** Runs on each new connection before it is used; if it fails, another connection is opened. */
  readonly setup: (model: ChannelModel) => Promise<void>;
  /** Called when a connection is ready for use. */
  readonly onReady: (link: Link) => void;
}

interface Waiter {
  readonly resolve: (link: Link) => void;
  readonly reject: (error: Error) => void;
  timer?: NodeJS.Timeout;
}

/** Seconds after which a silent broker counts as lost, unless the URL says otherwise. */
const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/** The connection to RabbitMQ, which is restored after each loss until it is closed. */
export class RabbitMqLink {
  private readonly logger = new Logger(RabbitMqLink.name);
  private connection: Promise<RecoveringChannelModel> | undefined;
  private current: Link | undefined;
  private readonly waiters = new Set<Waiter>();
  private closed = false;

  constructor(private readonly options: RabbitMqLinkOptions) {}

  get live(): Link | undefined {
    return this.current;
  }

  /** Begins to connect; further calls do nothing. */
  open(): void {
    if (!this.closed) this.connection ??= this.connect();
  }

  /** Resolves with the open connection; rejects if there is none by `deadline` (epoch milliseconds). */
  ready(deadline = Infinity): Promise<Link> {
    if (this.current) return Promise.resolve(this.current);
    if (this.closed) return Promise.reject(new BusUnavailableError('The bus was closed'));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject };
      this.waiters.add(waiter);
      if (deadline === Infinity) return;
      waiter.timer = setTimeout(
        () => {
          this.waiters.delete(waiter);
          reject(new BusUnavailableError('RabbitMQ is unreachable'));
        },
        Math.max(0, deadline - Date.now()),
      );
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.current = undefined;
    this.release(({ reject }) => reject(new BusUnavailableError('The bus was closed')));
    const connection = await this.connection;
    await connection?.close();
  }

  private async connect(): Promise<RecoveringChannelModel> {
    const url = new URL(this.options.url);
    if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
    let candidate: Link | undefined;
    const connection = await connect(url.toString(), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: this.options.name },
      recovery: {
        initialDelay: 100,
        maxDelay: 5_000,
        waitForConnect: false,
        setup: async (model: ChannelModel) => {
          // Until the library itself listens, an error event of the connection would end the process.
          model.on('error', () => undefined);
          const publisher = await ConfirmedChannel.open(model);
          await this.options.setup(model);
          candidate = { model, publisher };
        },
      },
    });
    connection.on('error', (error) => this.logger.warn(`RabbitMQ: ${error.message}`));
    connection.on('connect-failed', (error) =>
      this.logger.warn(`Connecting to RabbitMQ failed; trying again: ${error.message}`),
    );
    connection.on('disconnect', (error) => {
      this.current = undefined;
      if (!this.closed)
        this.logger.warn(`Lost the connection to RabbitMQ; connecting again: ${error.message}`);
    });
    connection.on('connect', () => {
      if (candidate && !this.closed) this.established(candidate);
    });
    return connection;
  }

  private established(link: Link): void {
    this.current = link;
    // A connection without its publishing channel is useless; a new connection restores everything.
    link.publisher.onClose(() => {
      if (this.current === link) link.model.close().catch(() => undefined);
    });
    this.options.onReady(link);
    this.release(({ resolve }) => resolve(link));
  }

  private release(answer: (waiter: Waiter) => void): void {
    for (const waiter of this.waiters) {
      clearTimeout(waiter.timer);
      answer(waiter);
    }
    this.waiters.clear();
  }
}
