import { Injectable } from '@nestjs/common';
import { GuestsService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Deletes guests that own nothing any longer. */
@Injectable()
export class GuestReviewSweep extends Sweep {
  readonly name = 'guests who left nothing';
  readonly intervalSeconds = 600;
  override readonly jitter = 0.5;

  constructor(private readonly guests: GuestsService) {
    super();
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly forgotten: number }> {
    return { forgotten: await this.guests.review(mayContinue) };
  }
}
