import { Injectable } from '@nestjs/common';
import { IdentitiesService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Removes what is left of logins with providers that nobody finished. */
@Injectable()
export class ExpiredLoginsSweep extends Sweep {
  readonly name = 'expired provider logins';
  readonly intervalSeconds = 3600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(private readonly identities: IdentitiesService) {
    super();
  }

  async runOnce(): Promise<Record<string, number>> {
    await this.identities.removeExpired();
    return {};
  }
}
