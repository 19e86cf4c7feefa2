import { Injectable } from '@nestjs/common';
import { WebhookDeliverer } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Begins the deliveries of webhooks that are due. */
@Injectable()
export class WebhookDelivery extends Sweep {
  readonly name = 'webhooks';
  /** An event waits for at most this long; a finished attempt begins the next ones at once. */
  readonly intervalSeconds = 0.5;

  constructor(private readonly deliverer: WebhookDeliverer) {
    super();
  }

  /** Does not wait for the receivers. Runs too often to be logged. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    await this.deliverer.beginDue();
    await this.deliverer.measure();
    return {};
  }
}
