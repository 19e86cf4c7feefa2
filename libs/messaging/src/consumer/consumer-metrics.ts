import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

/** How a delivery ended. `lost`: the connection was lost while it was in progress. */
export type Ending = 'acknowledged' | 'retried' | 'dead' | 'lost';

/** Counts and times the deliveries of each queue. */
@Injectable()
export class ConsumerMetrics {
  private readonly delivered: Counter<'queue'>;
  private readonly settled: Counter<'queue' | 'ending'>;
  private readonly duration: Histogram<'queue'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.delivered = new Counter({
      name: 'vitrine_bus_delivered_total',
      help: 'Deliveries of messages from a queue.',
      labelNames: ['queue'],
      registers,
    });
    this.settled = new Counter({
      name: 'vitrine_bus_settled_total',
      help: 'Deliveries by ending: acknowledged, retried, dead or lost.',
      labelNames: ['queue', 'ending'],
      registers,
    });
    this.duration = new Histogram({
      name: 'vitrine_bus_handling_seconds',
      help: 'Seconds from delivery to settlement.',
      labelNames: ['queue'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1200],
      registers,
    });
  }

  /** Counts a delivery. Returns a function to be called once with its ending. */
  begin(queue: string): (ending: Ending) => void {
    this.delivered.inc({ queue });
    const stop = this.duration.startTimer({ queue });
    return (ending) => {
      stop();
      this.settled.inc({ queue, ending });
    };
  }
}
