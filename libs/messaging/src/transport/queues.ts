import type { EventDefinition } from '@vitrine/contracts';
import type { QueueDefinition } from './message-transport';

/** Returns the queue of a service for an event. */
export function queueOf(
  service: string,
  event: Pick<EventDefinition<string, unknown>, 'type'>,
): QueueDefinition {
  return { name: `${service}.${event.type}`, routingKey: event.type };
}

/** Returns the queues of all services that must act on any of the events. */
export function queuesOf(events: readonly EventDefinition<string, unknown>[]): readonly QueueDefinition[] {
  return events.flatMap((event) => event.consumers.map((service) => queueOf(service, event)));
}
