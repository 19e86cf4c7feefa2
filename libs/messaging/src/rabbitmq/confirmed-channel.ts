import type { ChannelModel, ConfirmChannel, Options } from 'amqplib';
import { UnroutableMessageError } from '../transport/transport-errors';
import { HEADER } from './message-headers';

/** Publishes persistent messages with confirmation, and reports a message that no queue took. */
export class ConfirmedChannel {
  private readonly returned = new Set<number>();
  private publications = 0;

  private constructor(private readonly channel: ConfirmChannel) {
    channel.on('error', () => undefined);
    // The broker returns a message before it confirms it.
    channel.on('return', ({ properties }) => {
      const publication: unknown = properties.headers?.[HEADER.publication];
      if (typeof publication === 'number') this.returned.add(publication);
    });
  }

  static async open(model: ChannelModel): Promise<ConfirmedChannel> {
    return new ConfirmedChannel(await model.createConfirmChannel());
  }

  onClose(listener: () => void): void {
    this.channel.on('close', listener);
  }

  /**
   * Rejects with `UnroutableMessageError` if no queue took the message, and if the channel closes or the broker
   * refuses it.
   */
  publish(exchange: string, routingKey: string, content: Buffer, options: Options.Publish): Promise<void> {
    const publication = ++this.publications;
    return new Promise((resolve, reject) => {
      this.channel.publish(
        exchange,
        routingKey,
        content,
        {
          ...options,
          headers: { ...options.headers, [HEADER.publication]: publication },
          contentType: 'application/json',
          persistent: true,
          mandatory: true,
        },
        (error: unknown) => {
          if (this.returned.delete(publication)) reject(new UnroutableMessageError(routingKey));
          else if (error) reject(error instanceof Error ? error : new Error(String(error)));
          else resolve();
        },
      );
    });
  }
}
