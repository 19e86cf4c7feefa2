import { Inject, Injectable } from '@nestjs/common';
import { scrapedGauge } from '@vitrine/runtime';
import { Gauge, Registry } from 'prom-client';
import { MessageTransport } from './transport/message-transport';
import { MESSAGING_OPTIONS, type MessagingOptions } from './options/messaging-options';
import { queueOf } from './transport/queues';

/** Whether the bus is connected, and how many messages are in the queues of this service. */
@Injectable()
export class BusMetrics {
  constructor(
    registry: Registry,
    transport: MessageTransport,
    @Inject(MESSAGING_OPTIONS) { service, consumes }: MessagingOptions,
  ) {
    new Gauge({
      name: 'vitrine_bus_up',
      help: '1 if this process is connected to the bus, else 0.',
      registers: [registry],
      collect() {
        this.set(transport.healthy() ? 1 : 0);
      },
    });
    const queues = consumes.map((event) => queueOf(service, event).name);
    scrapedGauge({
      name: 'vitrine_bus_queue_messages',
      help: 'Messages in the queues of this service, by state: waiting or dead.',
      labelNames: ['queue', 'state'],
      registry,
      read: async () => {
        // Otherwise this would wait for the bus; vitrine_bus_up shows the outage.
        if (!transport.healthy()) return [];
        const depths = await Promise.all(queues.map((queue) => transport.depth(queue)));
        return depths.flatMap(({ waiting, dead }, i) => {
          const queue = queues[i] ?? '';
          return [
            { labels: { queue, state: 'waiting' }, value: waiting },
            { labels: { queue, state: 'dead' }, value: dead },
          ];
        });
      },
    });
  }
}
