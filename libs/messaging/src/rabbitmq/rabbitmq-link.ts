import { Logger } from '@nestjs/common';
import { connect, type ChannelModel, type RecoveringChannelModel } from 'amqplib';
import { BusUnavailableError } from '../transport-errors';
import { ConfirmedChannel } from './confirmed-channel';

/** One living connection. */
export interface Link {
  readonly model: ChannelModel;
  readonly publisher: ConfirmedChannel;
}

export interface RabbitMqLinkOptions {
  readonly url: string;
  readonly name: string;
  /** Runs on each new connection before anybody else may use it; a failure means another connection. */
  readonly setup: (model: ChannelModel) => Promise<void>;
  /** Called after each connection is ready for use. */
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

/** The connection to RabbitMQ: comes back by itself after each loss until it is closed. */
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

  /** Begins to connect; does nothing the second time. */
  open(): void {
    if (!this.closed) this.connection ??= this.connect();
  }

  /** The living connection, waited for until `deadline` (epoch milliseconds) at most. */
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
          reject(new BusUnavailableError('RabbitMQ is out of reach'));
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
          // Until the library listens itself, an error event of a dying connection would end the process.
          model.on('error', () => undefined);
          const publisher = await ConfirmedChannel.open(model);
          await this.options.setup(model);
          candidate = { model, publisher };
        },
      },
    });
    connection.on('error', (error) => this.logger.warn(`RabbitMQ: ${error.message}`));
    connection.on('connect-failed', (error) => this.logger.warn(`RabbitMQ can't be used: ${error.message}`));
    connection.on('disconnect', (error) => {
      this.current = undefined;
      if (!this.closed) this.logger.warn(`RabbitMQ is lost: ${error.message}`);
    });
    connection.on('connect', () => {
      if (candidate && !this.closed) this.established(candidate);
    });
    return connection;
  }

  private established(link: Link): void {
    this.current = link;
    // Without its publishing channel a connection is of no use; a new one brings everything back in order.
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
