import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { AccountStatesService } from '../states/account-states.service';
import { Mails } from '../../outgoing/mails/mails.service';
import { QuotasService } from '../quotas/quotas.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { MembersService } from '../users/members.service';

/** Finds deleted accounts that aren't erased yet, and completes their erasure. */
@Injectable()
export class UnerasedAccounts {
  constructor(
    private readonly database: Database,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
    private readonly states: AccountStatesService,
    private readonly quotas: QuotasService,
    private readonly mails: Mails,
  ) {}

  /**
   * Up to `limit` accounts that were deleted more than `seconds` ago and aren't erased, the oldest deletion first.
   */
  find(seconds: number, limit: number): Promise<readonly number[]> {
    return this.members.findUnerased(seconds, limit);
  }

  /** Records that a deleted account is erased. Removes its remaining tokens, states, quota and mails. */
  async markErased(userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.tokens.removeAll(tx, userId);
      await this.states.forget(tx, userId);
      await this.quotas.forget(tx, userId);
      await this.mails.forget(tx, userId);
      await this.members.markErased(tx, userId);
    });
  }
}
