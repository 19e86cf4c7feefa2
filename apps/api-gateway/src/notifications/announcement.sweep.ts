import { Injectable } from '@nestjs/common';
import { Announcements } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Notifies followers of new posts. */
@Injectable()
export class AnnouncementSweep extends Sweep {
  readonly name = 'announcements';
  readonly intervalSeconds = 1;
  override readonly restSeconds = WOKEN_REST_SECONDS;
  override readonly startsAtOnce = false;

  constructor(private readonly announcements: Announcements) {
    super();
  }

  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    await this.announcements.runDue(mayContinue);
    return {};
  }
}
