import { Injectable, Optional } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { InvalidFieldsError, TooManyRequestsError } from '../../base/errors/domain-error';

/** Metrics of registrations and logins. */
@Injectable()
export class AccountMetrics {
  private readonly accounts: Counter;
  private readonly logins: Counter<'outcome'>;

  constructor(@Optional() metrics?: Registry) {
    const registers = metrics ? [metrics] : [];
    this.accounts = new Counter({
      name: 'vitrine_accounts_registered_total',
      help: 'Registered accounts, without guests.',
      registers,
    });
    this.logins = new Counter({
      name: 'vitrine_logins_total',
      help: 'Login attempts: accepted, pending (the second factor is asked for), refused (wrong credentials), or slowed (too many failed attempts).',
      labelNames: ['outcome'],
      registers,
    });
  }

  registered(): void {
    this.accounts.inc();
  }

  /** Counts a login when it ends, by its result. Operational errors and bugs aren't counted. */
  async countLogin<Result extends object>(login: Promise<Result>): Promise<Result> {
    try {
      const result = await login;
      this.logins.inc({ outcome: 'pending' in result ? 'pending' : 'accepted' });
      return result;
    } catch (error) {
      if (error instanceof InvalidFieldsError) this.logins.inc({ outcome: 'refused' });
      if (error instanceof TooManyRequestsError) this.logins.inc({ outcome: 'slowed' });
      throw error;
    }
  }
}
