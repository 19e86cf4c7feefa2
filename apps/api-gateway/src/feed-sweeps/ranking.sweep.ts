import { Injectable } from '@nestjs/common';
import { RanksService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Ranks posts and media by their scores for `sort=top`, continuously. */
@Injectable()
export class RankingSweep extends Sweep {
  readonly name = 'ranks';
  /** The time after which a vote changes the order of feeds, while there are votes. */
  readonly intervalSeconds = 1;
  override readonly restSeconds = WOKEN_REST_SECONDS;
  override readonly startsAtOnce = false;

  constructor(private readonly ranks: RanksService) {
    super();
  }

  /** Runs too often for a log line. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    await this.ranks.rankChanges();
    return {};
  }
}
