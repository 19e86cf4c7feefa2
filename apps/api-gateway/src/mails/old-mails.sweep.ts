import { Injectable } from '@nestjs/common';
import { MailDeliverer } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Removes old mails and expired links. */
@Injectable()
export class OldMailsSweep extends Sweep {
  readonly name = 'old mails';
  readonly intervalSeconds = 3600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(private readonly deliverer: MailDeliverer) {
    super();
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    return { removed: await this.deliverer.removeOld() };
  }
}
