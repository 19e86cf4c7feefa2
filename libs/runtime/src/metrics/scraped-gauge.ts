import { Logger } from '@nestjs/common';
import { Gauge, type LabelValues, type Registry } from 'prom-client';
import { errorMessage } from '../logging/error-message';
import { waitAtMost } from '../wait-at-most';

export interface Reading<Label extends string> {
  readonly labels: LabelValues<Label>;
  readonly value: number;
}

export interface ScrapedGaugeOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly registry: Registry;
  /** Looks; what it rejects with leaves the gauge without values until the next look. */
  readonly read: () => Promise<readonly Reading<Label>[]>;
}

/** Scrapes closer together than this are given what was read last. */
const KEPT_MS = 5_000;
/** A scrape waits no longer for a reading than this; late readings are for the next one. */
const PATIENCE_MS = 2_000;

/**
 * A gauge that is read when somebody scrapes, at most once in five seconds and never twice at once, so that any number
 * of scrapers cost the database or broker no more than one. While it can't be read it has no value at all: an old one
 * would pass for a calm system.
 */
export function scrapedGauge<Label extends string>(options: ScrapedGaugeOptions<Label>): void {
  const { name, help, labelNames, registry, read } = options;
  const logger = new Logger('Metrics');
  let readings: readonly Reading<Label>[] = [];
  let keptUntil = 0;
  let failed = false;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    // Whoever doesn't wait for its end is to see no value rather than an old one.
    readings = [];
    try {
      readings = await read();
      failed = false;
    } catch (error) {
      if (!failed) logger.warn(`${name} can't be read: ${errorMessage(error)}`);
      failed = true;
    } finally {
      keptUntil = Date.now() + KEPT_MS;
      looking = undefined;
    }
  };

  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      if (Date.now() >= keptUntil) {
        looking ??= look();
        await waitAtMost(PATIENCE_MS, looking);
      }
      this.reset();
      // A gauge without labels would begin at 0.
      if (labelNames.length === 0) this.remove();
      for (const { labels, value } of readings) this.set(labels, value);
    },
  });
}
