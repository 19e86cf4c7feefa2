import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { Counters, type Limiter } from '@vitrine/counters';
import { type Transaction, Database } from '@vitrine/database';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { DailyCounts } from '../../base/daily-counts/daily-counts';
import { secondsToMidnightUtc } from '../../base/daily-counts/utc-day';
import { TooManyRequestsError } from '../../base/errors/domain-error';
import { PasswordStrength } from '../../sign-in/passwords/password-strength';
import { EmailAddresses } from '../users/email-addresses.service';
import { PasswordHasher } from '../users/password-hasher';
import { nameTaken, UsersService } from '../users/users.service';
import { AdmissionConfig } from './admission.config';

export interface Registration {
  readonly username: string;
  /** Null for an account without a password. */
  readonly password: string | null;
  readonly email?: string | null | undefined;
}

/** A registration whose username is free and whose password is strong. */
export interface CheckedRegistration extends Omit<Registration, 'password'> {
  readonly passwordHash: string | null;
  /** The address of the person. */
  readonly address: string;
}

/** Names that visitors could mistake for the operators of the site. */
const RESERVED_USERNAMES = [
  'admin',
  'administrator',
  'moderator',
  'support',
  'root',
  'system',
  'vitrine',
  'guest',
  'api',
  'help',
  'security',
  'abuse',
];
/** Counts of registrations that are older than this many days are no longer needed. */
const COUNT_DAYS_KEPT = 2;
/** The largest number of old counts that one registration removes, so that its work stays bounded. */
const COUNTS_REMOVED_AT_ONCE = 100;
/** Passwords that are judged for one address in an hour, for each account that it may create in a day. */
const ATTEMPTS_PER_ACCOUNT = 3;
const tooManyAccounts = () => new TooManyRequestsError(secondsToMidnightUtc(new Date()));

/** The number of accounts that each address created on a UTC day. */
@Injectable()
export class RegistrationCounts extends DailyCounts {
  constructor(database: Database) {
    super(database, { name: 'registration_counts', key: 'address', count: 'accounts' });
  }
}

/** Creates accounts, within the limits for new ones. */
@Injectable()
export class AccountCreation {
  private readonly attempts: Limiter;
  private readonly reserved: ReadonlySet<string>;

  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly counts: RegistrationCounts,
    private readonly passwords: PasswordHasher,
    private readonly strength: PasswordStrength,
    private readonly emails: EmailAddresses,
    private readonly audit: AuditLog,
    private readonly config: AdmissionConfig,
    counters: Counters,
  ) {
    this.attempts = counters.limiter({
      name: 'registration-attempts',
      points: ATTEMPTS_PER_ACCOUNT * config.accountsPerAddressPerDay,
      windowSeconds: 3600,
    });
    const names = [...RESERVED_USERNAMES, ...config.reservedUsernames];
    this.reserved = new Set(names.map((name) => name.toLowerCase()));
  }

  /**
   * Checks the registration of a person at `address`, before the costly hash of the password. Throws
   * `InvalidFieldsError` on a `username` that is in use or reserved, and on a `password` that is easy to guess;
   * `TooManyRequestsError` if the address has reached the daily limit of accounts.
   */
  async check(registration: Registration, address: string): Promise<CheckedRegistration> {
    const { username, password, email } = registration;
    if (this.reserved.has(username.toLowerCase())) throw nameTaken();
    if ((await this.counts.findToday(address)) >= this.config.accountsPerAddressPerDay)
      throw tooManyAccounts();
    if (await this.users.isUsernameTaken(username)) throw nameTaken();
    if (password !== null) {
      // Judging a password costs up to 60 ms of processor time.
      const { exceeded, msBeforeNext } = await this.attempts.consume(address);
      if (exceeded) throw TooManyRequestsError.untilReset(msBeforeNext);
      await this.strength.assertStrong(password, [username, email]);
    }
    return { username, email, passwordHash: await this.hashOf(password), address };
  }

  /**
   * Counts an account for its address and adds it; returns its id. Throws as `check` does, because other registrations
   * may have been faster.
   */
  async add(tx: Transaction, registration: CheckedRegistration): Promise<number> {
    const { username, email, passwordHash, address } = registration;
    await this.counts.removeBefore(tx, COUNT_DAYS_KEPT, COUNTS_REMOVED_AT_ONCE);
    if (!(await this.counts.countWithin(tx, address, this.config.accountsPerAddressPerDay)))
      throw tooManyAccounts();
    const userId = await this.users.add(tx, { username, passwordHash, role: 'user' });
    if (email) await this.emails.enter(tx, userId, email);
    return userId;
  }

  /**
   * Creates an account without a session, for the operator, who may also use reserved names. Throws
   * `InvalidFieldsError` on a `username` that is in use.
   */
  async create({ username, email, password }: Registration, role: Role): Promise<void> {
    const passwordHash = await this.hashOf(password);
    await this.database.transaction(async (tx) => {
      const userId = await this.users.add(tx, { username, passwordHash, role });
      const subject = accountSubject(userId, username);
      await this.audit.append(tx, { by: null, action: 'user.create', subject, detail: { role } });
      if (email) await this.emails.enter(tx, userId, email);
    });
  }

  private async hashOf(password: string | null): Promise<string | null> {
    return password === null ? null : this.passwords.hash(password);
  }
}
