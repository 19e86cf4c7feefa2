import { Injectable } from '@nestjs/common';
import { WebhookDeliverer } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Begins the deliveries of webhooks that are due. */
@Injectable()
export class WebhookDelivery extends Sweep {
  readonly name = 'webhooks';
  /** The shortest pause between two runs; a finished attempt begins the next ones at once. */
  readonly intervalSeconds = 0.5;
  override readonly restSeconds = WOKEN_REST_SECONDS;

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
