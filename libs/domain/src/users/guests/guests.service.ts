import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { userDeleted } from '@vitrine/contracts';
import { TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { Counters, type Limiter } from '../../counters/counters';
import { TooManyRequestsError, UnauthenticatedError } from '../../errors/domain-error';
import type { Caller } from '../../tokens/caller';
import { type Ticket, TokensService } from '../../tokens/tokens.service';
import { UserRepository } from '../user.repository';
import { GuestRepository } from './guest.repository';

/** Guests whom one address may be in a day: as many as it may upload files, unless that is set otherwise. */
const GUESTS_PER_DAY = 1_000;
const DAY_SECONDS = 86_400;
/** Guests that one transaction reviews. */
const REVIEW_BATCH = 500;

/** A guest just made; both secrets are shown once. */
export interface WelcomedGuest {
  /** Secret of the guest's token. */
  readonly secret: string;
  readonly ticket: Ticket;
}

/**
 * Guests: accounts without a name, a password or anything that others could see, so that what somebody uploads on the
 * web site without logging in is theirs alone.
 */
@Injectable()
export class GuestsService {
  private readonly limiter: Limiter;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly guests: GuestRepository,
    private readonly users: UserRepository,
    private readonly tokens: TokensService,
    private readonly outbox: Outbox,
    counters: Counters,
  ) {
    this.limiter = counters.limiter({ name: 'guests', points: GUESTS_PER_DAY, windowSeconds: DAY_SECONDS });
  }

  /** Makes a guest with a first ticket. Throws `TooManyRequestsError` where this address has been too many today. */
  async welcome(addressBucket: string): Promise<WelcomedGuest> {
    const { exceeded, msBeforeNext } = await this.limiter.consume(addressBucket);
    if (exceeded) throw new TooManyRequestsError(Math.max(1, Math.ceil(msBeforeNext / 1000)));
    return this.transactions.run(async (tx) =>
      this.tokens.openGuest(tx, await this.guests.insert(tx, freshName())),
    );
  }

  /**
   * Deletes the calling guest: nothing of its making can come from here on. What it has made is for `AccountErasure`.
   * Throws `UnauthenticatedError` where it is deleted already.
   */
  async markDeleted(guest: Caller): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await this.guests.lockForDeletion(tx, guest.userId))) throw new UnauthenticatedError();
      await this.users.markDeleted(tx, guest.userId);
      await this.tokens.removeAll(tx, guest.userId);
      await this.outbox.add(tx, userDeleted, { user_id: guest.userId, username: guest.username });
    });
    this.tokens.forgetBearer(guest.userId);
  }

  /**
   * Looks through the guests whose review is due, a batch at a time, while `goOn` says so: ends those a day old who own
   * nothing and hold no ticket, and removes the rows of those who ended long ago. Returns how many it ended. Any number
   * of processes may do so at once.
   */
  async review(goOn: () => boolean): Promise<number> {
    let ended = 0;
    for (let reviewed = REVIEW_BATCH; reviewed === REVIEW_BATCH && goOn();) {
      await this.transactions.run(async (tx) => {
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

/** Of no member's shape, so that it is nobody's to register, to log in with or to look up. */
const freshName = (): string => `~${randomBytes(10).toString('hex')}`;
