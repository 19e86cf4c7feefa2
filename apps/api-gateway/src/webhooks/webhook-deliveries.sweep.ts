import { Injectable } from '@nestjs/common';
import { WebhookDeliverer } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Removes old deliveries of webhooks. */
@Injectable()
export class WebhookDeliveriesSweep extends Sweep {
  readonly name = 'deliveries of webhooks';
  readonly intervalSeconds = 3600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(private readonly deliverer: WebhookDeliverer) {
    super();
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    return { removed: await this.deliverer.removeOld() };
  }
}
