import { Injectable } from '@nestjs/common';
import { userDeleted } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import type { Caller } from '../../base/access/caller';
import { AdmissionService } from '../admission/admission.service';
import { SecondFactorsService } from '../../sign-in/factors/second-factors.service';
import { IdentitiesService } from '../../sign-in/providers/identities.service';
import { LoginHistory } from '../../sign-in/tokens/login-history.service';
import { Mails } from '../../outgoing/mails/mails.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { MembersService } from '../users/members.service';
import { WebhooksService } from '../../outgoing/webhooks/webhooks.service';

/** What an account loses at once when it is deleted: all that lets it act, and all that is known about the person. */
@Injectable()
export class AccountRemoval {
  constructor(
    private readonly members: MembersService,
    private readonly tokens: TokensService,
    private readonly factors: SecondFactorsService,
    private readonly history: LoginHistory,
    private readonly webhooks: WebhooksService,
    private readonly identities: IdentitiesService,
    private readonly mails: Mails,
    private readonly admission: AdmissionService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Marks an account that is locked as deleted, within the transaction that proves the right to do so. Call
   * `TokensService.forgetBearer` and `AccountErasure` after the commit.
   */
  async remove(tx: Transaction, { userId, username }: Pick<Caller, 'userId' | 'username'>): Promise<void> {
    await this.members.markDeleted(tx, userId);
    await this.tokens.removeAll(tx, userId);
    await this.factors.removeAll(tx, userId);
    await this.history.removeAll(tx, userId);
    await this.webhooks.removeAll(tx, userId);
    await this.identities.removeAll(tx, userId);
    await this.mails.forget(tx, userId);
    await this.admission.endApplication(tx, userId);
    await this.outbox.add(tx, userDeleted, { user_id: userId, username });
  }
}
