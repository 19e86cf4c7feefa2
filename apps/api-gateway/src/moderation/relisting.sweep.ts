import { Injectable } from '@nestjs/common';
import { Relisting } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Puts the things of accounts into the feeds, or takes them out, after a restriction has begun or ended. */
@Injectable()
export class RelistingSweep extends Sweep {
  readonly name = 'restricted accounts';
  readonly intervalSeconds = 5;
  override readonly jitter = 0.5;

  constructor(private readonly relisting: Relisting) {
    super();
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly relisted: number }> {
    return { relisted: await this.relisting.runDue(mayContinue) };
  }
}
