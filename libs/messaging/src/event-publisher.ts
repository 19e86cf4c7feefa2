import { Injectable } from '@nestjs/common';
import { events, type EventDefinition, type EventEnvelope } from '@vitrine/contracts';
import { currentTraceparent, inSpan, underTraceparent } from '@vitrine/runtime';
import { buildEnvelope } from './envelope';
import { MessageTransport } from './message-transport';
import { PublicationMetrics } from './publication-metrics';
import { queuesOf } from './queues';
import { UnroutableMessageError } from './transport-errors';

/**
 * Publishes with the broker's confirmation, for processes without a database. Publish before you acknowledge the
 * message that made you: then a crash between repeats the event and never loses it.
 */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly transport: MessageTransport,
    private readonly metrics: PublicationMetrics,
  ) {}

  /**
   * Resolves once every consumer's queue has the event. Rejects with `BusUnavailableError` when the broker can't
   * confirm in time, and with `UnroutableMessageError` when an event that somebody must act on finds no queue.
   */
  async publish<Data>(event: EventDefinition<string, Data>, data: Data): Promise<void> {
    await this.trace(buildEnvelope(event, data), event);
  }

  /** Publishes an envelope made earlier, such as an outbox row, within the trace that made it. */
  async publishEnvelope(envelope: EventEnvelope): Promise<void> {
    await underTraceparent(envelope.traceparent, () => this.trace(envelope, catalogue.get(envelope.type)));
  }

  /** Consumers' spans follow from that of the publication. */
  private trace(envelope: EventEnvelope, event?: EventDefinition<string, unknown>): Promise<void> {
    const { type, id, correlation_id } = envelope;
    const attributes = {
      'messaging.operation.type': 'send',
      'messaging.destination.name': type,
      'messaging.message.id': id,
      'vitrine.correlation_id': correlation_id,
    };
    return inSpan(`publish ${type}`, { kind: 'producer', attributes }, async () => {
      const traceparent = currentTraceparent();
      const sent = traceparent === undefined ? envelope : { ...envelope, traceparent };
      await this.metrics.count(event?.type ?? 'unknown', () => this.send(sent, event));
    });
  }

  private async send(envelope: EventEnvelope, event?: EventDefinition<string, unknown>): Promise<void> {
    try {
      await this.transport.publish(envelope);
    } catch (error) {
      // An event of another version's catalogue may be needed by somebody: that one is reported, not dropped.
      if (!(error instanceof UnroutableMessageError) || !event) throw error;
      if (event.consumers.length === 0) return;
      // Someone deleted the queues since this process declared them: make them anew and try once more.
      await this.transport.declare(queuesOf([event]));
      await this.transport.publish(envelope);
    }
  }
}

const catalogue = new Map<string, EventDefinition<string, unknown>>(
  Object.values(events).map((event) => [event.type, event]),
);
