import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DEFAULT_UPLOADS_PER_DAY, userDeleted } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { Counters, type Limiter } from '@vitrine/counters';
import { ForbiddenError, TooManyRequestsError, UnauthenticatedError } from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import type { StorageUse } from '../quotas/quota.types';
import { ProofOfWorkService } from '../../sign-in/proof-of-work/proof-of-work.service';
import { QuotasService } from '../quotas/quotas.service';
import { type Ticket, TokensService } from '../../sign-in/tokens/tokens.service';
import { UserRepository } from './user.repository';
import { GuestUploadsConfig } from './guests.config';
import { GuestRepository } from './guest.repository';

/** The largest number of guests from one address in a day. */
const GUESTS_PER_DAY = DEFAULT_UPLOADS_PER_DAY;
const DAY_SECONDS = 86_400;
/** The number of guests that one transaction reviews. */
const REVIEW_BATCH = 500;

/** A new guest; both secrets are shown once. */
export interface WelcomedGuest {
  /** The secret of the guest's token. */
  readonly secret: string;
  readonly ticket: UploadTicket;
}

/** A ticket, and how much its owner stores and may store. */
export interface UploadTicket extends Ticket {
  readonly storage: StorageUse;
}

/**
 * Guests: users without a name and a password who aren't shown to others. They own what visitors of the website
 * upload without an account.
 */
@Injectable()
export class GuestsService {
  private readonly limiter: Limiter;

  constructor(
    private readonly database: Database,
    private readonly guests: GuestRepository,
    private readonly users: UserRepository,
    private readonly tokens: TokensService,
    private readonly outbox: Outbox,
    private readonly config: GuestUploadsConfig,
    private readonly quotas: QuotasService,
    private readonly proofs: ProofOfWorkService,
    counters: Counters,
  ) {
    this.limiter = counters.limiter({ name: 'guests', points: GUESTS_PER_DAY, windowSeconds: DAY_SECONDS });
  }

  /**
   * Creates a ticket for a caller who is a guest or a member. Throws `ForbiddenError` for guests if the site doesn't
   * accept their uploads; otherwise as `TokensService.createTicket`.
   */
  async createTicket(caller: Caller): Promise<UploadTicket> {
    if (caller.isGuest && !this.config.guestUploads) throw new ForbiddenError();
    return { ...(await this.tokens.createTicket(caller)), storage: await this.quotas.findUse(caller.userId) };
  }

  /**
   * Creates a guest with a first ticket. `proof` is the proof of work. Throws `UnauthenticatedError` if the site
   * doesn't accept uploads of guests, `TooManyRequestsError` if the client has created too many guests today, and as
   * `ProofOfWorkService.accept`.
   */
  async welcome(clientKey: string, proof: string | null = null): Promise<WelcomedGuest> {
    if (!this.config.guestUploads) throw new UnauthenticatedError();
    await this.proofs.accept(proof, 'guest');
    const { exceeded, msBeforeNext } = await this.limiter.consume(clientKey);
    if (exceeded) throw TooManyRequestsError.untilReset(msBeforeNext);
    const { secret, ticket } = await this.database.transaction(async (tx) =>
      this.tokens.openGuest(tx, await this.guests.insert(tx, freshName())),
    );
    return { secret, ticket: { ...ticket, storage: this.quotas.useOfNewGuest() } };
  }

  /**
   * Deletes the calling guest, who can make nothing from then on. `AccountErasure` erases what the guest has made.
   * Throws `UnauthenticatedError` if the guest is deleted already.
   */
  async markDeleted(guest: Caller): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.end(tx, guest.userId))) throw new UnauthenticatedError();
      await this.outbox.add(tx, userDeleted, { user_id: guest.userId, username: guest.username });
    });
    this.tokens.forgetBearer(guest.userId);
  }

  /**
   * Ends a guest whose items move to an account in the caller's transaction. Returns false if the guest has ended. Call
   * `TokensService.forgetBearer` after the commit.
   */
  async end(tx: Transaction, guestId: number): Promise<boolean> {
    if (!(await this.guests.lockForDeletion(tx, guestId))) return false;
    await this.users.markDeleted(tx, guestId);
    await this.tokens.removeAll(tx, guestId);
    return true;
  }

  /**
   * Reviews the guests that are due, in batches, while `mayContinue` returns true: deletes those that are a day old, own
   * nothing and have no valid ticket, and removes the rows of those that were deleted long ago. Returns how many were
   * deleted. Several processes may do this at the same time.
   */
  async review(mayContinue: () => boolean): Promise<number> {
    let ended = 0;
    for (let reviewed = REVIEW_BATCH; reviewed === REVIEW_BATCH && mayContinue();) {
      await this.database.transaction(async (tx) => {
        const due = await this.guests.lockDue(tx, REVIEW_BATCH);
        reviewed = due.length;
        await this.guests.removeErased(tx, due);
        ended += await this.guests.endEmpty(tx, due);
        await this.guests.postpone(tx, due);
      });
    }
    return ended;
  }
}

/** A random name that no member can have, so that it can't be registered, logged in with or looked up. */
const freshName = (): string => `~${randomBytes(10).toString('hex')}`;
