import { Injectable } from '@nestjs/common';
import { events, type EventDefinition, type EventEnvelope } from '@vitrine/contracts';
import { currentTraceparent, inSpan, underTraceparent } from '@vitrine/runtime';
import { buildEnvelope } from '../transport/envelope';
import { MessageTransport } from '../transport/message-transport';
import { PublicationMetrics } from './publication-metrics';
import { queuesOf } from '../transport/queues';
import { UnroutableMessageError } from '../transport/transport-errors';

/**
 * Publishes events with the broker's confirmation, for processes without a database. Publish before you acknowledge the
 * message that caused the event: then a crash in between repeats the event and doesn't lose it.
 */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly transport: MessageTransport,
    private readonly metrics: PublicationMetrics,
  ) {}

  /**
   * Resolves once the queue of every consumer has the event. Rejects with `BusUnavailableError` if the broker doesn't
   * confirm in time, and with `UnroutableMessageError` if an event with consumers has no queue.
   */
  async publish<Data>(event: EventDefinition<string, Data>, data: Data): Promise<void> {
    await this.trace(buildEnvelope(event, data), event);
  }

  /** Publishes an existing envelope, such as that of an outbox row, in the trace that created it. */
  async publishEnvelope(envelope: EventEnvelope): Promise<void> {
    await underTraceparent(envelope.traceparent, () => this.trace(envelope, catalogue.get(envelope.type)));
  }

  /** Publishes in a span, of which the spans of the consumers are children. */
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
      // An event that isn't in our catalogue may have consumers in another release: it is reported, not dropped.
      if (!(error instanceof UnroutableMessageError) || !event) throw error;
      if (event.consumers.length === 0) return;
      // The queues were deleted since this process declared them: declare them and try again.
      await this.transport.declare(queuesOf([event]));
      await this.transport.publish(envelope);
    }
  }
}

const catalogue = new Map<string, EventDefinition<string, unknown>>(
  Object.values(events).map((event) => [event.type, event]),
);
