import { Logger } from '@nestjs/common';
import { SingleFlight, waitAtMost } from '@vitrine/concurrency';
import { Gauge, type LabelValues, type Registry } from 'prom-client';
import { errorMessage } from '../errors/error-message';

export interface GaugeReading<Label extends string> {
  readonly labels: LabelValues<Label>;
  readonly value: number;
}

export interface ScrapedGaugeOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly registry: Registry;
  /** Reads the values. If it rejects, the gauge has no values until the next reading. */
  readonly read: () => Promise<readonly GaugeReading<Label>[]>;
}

/** Scrapes within this time get the last reading. */
const KEPT_MS = 5_000;
/** A scrape waits no longer than this for a reading; a later one is for the next scrape. */
const PATIENCE_MS = 2_000;

/**
 * Registers a gauge that is read on a scrape, at most once in five seconds and never twice at the same time, so that many
 * scrapers cost the database or broker no more than one. While it can't be read it has no value, because an old value
 * would hide the problem.
 */
export function scrapedGauge<Label extends string>(options: ScrapedGaugeOptions<Label>): void {
  const { name, help, labelNames, registry, read } = options;
  const logger = new Logger('Metrics');
  let readings: readonly GaugeReading<Label>[] = [];
  let keptUntil = 0;
  let failed = false;

  const reading = new SingleFlight(async () => {
    // A scrape that doesn't wait for the end of this reading must see no value rather than an old one.
    readings = [];
    try {
      readings = await read();
      failed = false;
    } catch (error) {
      if (!failed) logger.warn(`${name} can't be read: ${errorMessage(error)}`);
      failed = true;
    } finally {
      keptUntil = Date.now() + KEPT_MS;
    }
  });

  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      if (Date.now() >= keptUntil) {
        await waitAtMost(PATIENCE_MS, reading.run());
      }
      this.reset();
      // Without this, a gauge without labels would have the value 0.
      if (labelNames.length === 0) this.remove();
      for (const { labels, value } of readings) this.set(labels, value);
    },
  });
}
