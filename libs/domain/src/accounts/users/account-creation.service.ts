import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { Counters, type Limiter } from '@vitrine/counters';
import { type Transaction, Database, violatedUniqueConstraint } from '@vitrine/database';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { secondsToMidnightUtc } from '../../base/daily-counts/utc-day';
import { InvalidFieldsError, TooManyRequestsError } from '../../base/errors/domain-error';
import { PasswordStrength } from '../../sign-in/passwords/password-strength';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { EmailAddresses } from './email-addresses.service';
import { PasswordHasher } from './password-hasher';
import { RegistrationCountRepository } from './registration-count.repository';
import { reservedUsernames } from './reserved-usernames';
import type { UserEntity } from './user.entity';
import { UserRepository } from './user.repository';

export interface Registration {
  readonly username: string;
  /** Null for an account without a password. */
  readonly password: string | null;
  readonly email?: string | null | undefined;
}

/** Counts of registrations that are older than this many days are no longer needed. */
const COUNT_DAYS_KEPT = 2;
/** The largest number of old counts that one registration removes, so that its work stays bounded. */
const COUNTS_REMOVED_AT_ONCE = 100;
/** Passwords that are judged for one address in an hour, for each account that it may create in a day. */
const ATTEMPTS_PER_ACCOUNT = 3;
const nameTaken = () => new InvalidFieldsError({ username: ['The username has already been taken.'] });
const tooManyAccounts = () => new TooManyRequestsError(secondsToMidnightUtc(new Date()));

/** Creates accounts, within the limits for new ones. */
@Injectable()
export class AccountCreation {
  private readonly attempts: Limiter;
  private readonly isReserved: (username: string) => boolean;

  constructor(
    private readonly database: Database,
    private readonly repository: UserRepository,
    private readonly registrations: RegistrationCountRepository,
    private readonly passwords: PasswordHasher,
    private readonly strength: PasswordStrength,
    private readonly emails: EmailAddresses,
    private readonly audit: AuditLog,
    private readonly metrics: AccountMetrics,
    private readonly config: AccountsConfig,
    counters: Counters,
  ) {
    this.attempts = counters.limiter({
      name: 'registration-attempts',
      points: ATTEMPTS_PER_ACCOUNT * config.accountsPerAddressPerDay,
      windowSeconds: 3600,
    });
    this.isReserved = reservedUsernames(config.reservedUsernames);
  }

  /**
   * Creates the account of a person at `address`; new accounts are counted by address and day. `complete` takes part in
   * the transaction and may refuse the account. Throws `InvalidFieldsError` on a `username` that is in use or reserved,
   * and on a `password` that is easy to guess; `TooManyRequestsError` if the address has reached the daily limit.
   */
  async add<Completed>(
    registration: Registration,
    address: string,
    complete: (tx: Transaction, user: UserEntity) => Promise<Completed>,
  ): Promise<{ readonly user: UserEntity; readonly completed: Completed }> {
    const { username, password, email } = registration;
    if (this.isReserved(username)) throw nameTaken();
    const limit = this.config.accountsPerAddressPerDay;
    // These checks come before the costly hash. The exact count and the unique index below decide.
    if ((await this.registrations.findToday(address)) >= limit) throw tooManyAccounts();
    if (await this.repository.isUsernameTaken(username)) throw nameTaken();
    if (password !== null) {
      // Judging a password costs up to 60 ms of processor time.
      const { exceeded, msBeforeNext } = await this.attempts.consume(address);
      if (exceeded) throw TooManyRequestsError.untilReset(msBeforeNext);
      await this.strength.assertStrong(password, [username, email]);
    }
    const passwordHash = await this.hashOf(password);
    return this.rejectingDuplicates(async () => {
      const added = await this.database.transaction(async (tx) => {
        await this.registrations.removeBefore(tx, COUNT_DAYS_KEPT, COUNTS_REMOVED_AT_ONCE);
        if (!(await this.registrations.countWithin(tx, address, limit))) throw tooManyAccounts();
        const user = await this.repository.insert(tx, { username, email: null, passwordHash, role: 'user' });
        const completed = await complete(tx, user);
        if (email) await this.emails.enter(tx, user.id, email);
        return { user, completed };
      });
      this.metrics.registered();
      return added;
    });
  }

  /**
   * Creates an account without a session, for the operator, who may also use reserved names. Throws
   * `InvalidFieldsError` on a `username` that is in use.
   */
  async create({ username, email, password }: Registration, role: Role): Promise<void> {
    const passwordHash = await this.hashOf(password);
    await this.rejectingDuplicates(() =>
      this.database.transaction(async (tx) => {
        const { id } = await this.repository.insert(tx, { username, email: null, passwordHash, role });
        const subject = accountSubject(id, username);
        await this.audit.append(tx, { by: null, action: 'user.create', subject, detail: { role } });
        if (email) await this.emails.enter(tx, id, email);
      }),
    );
  }

  private async hashOf(password: string | null): Promise<string | null> {
    return password === null ? null : this.passwords.hash(password);
  }

  private async rejectingDuplicates<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'users_username_key' ? nameTaken() : error;
    }
  }
}
