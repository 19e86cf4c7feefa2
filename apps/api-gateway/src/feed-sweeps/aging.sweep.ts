import { Injectable } from '@nestjs/common';
import { RanksService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Gives the ranks of items that have left a period their new age. */
@Injectable()
export class AgingSweep extends Sweep {
  readonly name = 'ages of ranks';
  /** Readers skip the items that have left a period since the last run. */
  readonly intervalSeconds = 60;
  override readonly startsAtOnce = false;
  override readonly jitter = 0.5;

  constructor(private readonly ranks: RanksService) {
    super();
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    await this.ranks.ageRanks();
    return {};
  }
}
