import { Injectable } from '@nestjs/common';
import { MailDeliverer, ResetLinks } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Resolves requests for password resets, and sends the mails that are due. */
@Injectable()
export class MailDelivery extends Sweep {
  readonly name = 'mails';
  readonly intervalSeconds = 1;
  override readonly restSeconds = WOKEN_REST_SECONDS;

  constructor(
    private readonly resetLinks: ResetLinks,
    private readonly deliverer: MailDeliverer,
  ) {
    super();
  }

  /** Runs too often to be logged; the deliverer logs what goes wrong. */
  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    await this.resetLinks.resolveRequests(mayContinue);
    await this.deliverer.deliverDue(mayContinue);
    return {};
  }
}
