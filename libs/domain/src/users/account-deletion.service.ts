import { Injectable } from '@nestjs/common';
import { userDeleted } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { InvalidFieldsError } from '../errors/domain-error';
import { IdentitiesService } from '../identities/identities.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { AdmissionService } from '../admission/admission.service';
import { AccountStatesService } from '../account-states/account-states.service';
import { LoginHistory } from '../login-history/login-history.service';
import { Mails } from '../mails/mails.service';
import type { Caller } from '../access/caller';
import { QuotasService } from '../quotas/quotas.service';
import { TokensService } from '../tokens/tokens.service';
import { MembersService } from './members.service';
import { type Proof, ReauthenticationService } from './reauthentication.service';
import { UserRepository } from './user.repository';
import { WebhooksService } from '../webhooks/webhooks.service';

const onlyAdmin = () =>
  new InvalidFieldsError({
    role: ['The account of the only admin cannot be deleted. Give the role to another account first.'],
  });

/** The deletion of accounts. `AccountErasure` erases what they have made. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: UserRepository,
    private readonly tokens: TokensService,
    private readonly reauthentication: ReauthenticationService,
    private readonly mails: Mails,
    private readonly outbox: Outbox,
    private readonly webhooks: WebhooksService,
    private readonly states: AccountStatesService,
    private readonly identities: IdentitiesService,
    private readonly factors: SecondFactorsService,
    private readonly history: LoginHistory,
    private readonly quotas: QuotasService,
    private readonly members: MembersService,
    private readonly admission: AdmissionService,
  ) {}

  /**
   * Deletes the caller's account: it can't be found and can make nothing from then on. `AccountErasure` erases what
   * it has made. Throws `InvalidFieldsError` on a wrong `password`, and on `role` if the caller is the only admin; and
   * `TooManyRequestsError` if the password was wrong too often.
   */
  async markDeleted(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof, 'password');
    await this.transactions.run(async (tx) => {
      const admins = await this.members.lockActiveAdmins(tx);
      if (admins.length === 1 && admins[0] === caller.userId) throw onlyAdmin();
      await confirmed.hold(tx, 'delete');
      await this.markDeletedWithin(tx, caller);
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Deletes an account that is locked, within the transaction that proves the right to do so. Call
   * `TokensService.forgetBearer` and `AccountErasure` after the commit.
   */
  async markDeletedWithin(
    tx: Transaction,
    { userId, username }: Pick<Caller, 'userId' | 'username'>,
  ): Promise<void> {
    await this.repository.markDeleted(tx, userId);
    await this.tokens.removeAll(tx, userId);
    await this.factors.removeAll(tx, userId);
    await this.history.removeAll(tx, userId);
    await this.webhooks.removeAll(tx, userId);
    await this.identities.removeAll(tx, userId);
    await this.mails.forget(tx, userId);
    await this.admission.endApplication(tx, userId);
    await this.outbox.add(tx, userDeleted, { user_id: userId, username });
  }

  /**
   * Up to `limit` accounts that were deleted more than `seconds` ago and aren't erased, the oldest deletion first.
   */
  findUnerased(seconds: number, limit: number): Promise<readonly number[]> {
    return this.repository.findUnerased(seconds, limit);
  }

  /** Records that a deleted account is erased. Removes tokens that were created during its deletion. */
  async markErased(userId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.tokens.removeAll(tx, userId);
      await this.states.forget(tx, userId);
      await this.quotas.forget(tx, userId);
      await this.mails.forget(tx, userId);
      await this.repository.markErased(tx, userId);
    });
  }
}
