import { Injectable, Optional } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { InvalidFieldsError, TooManyRequestsError } from '../errors/domain-error';

/** How many accounts are opened, and how people fare who want in. */
@Injectable()
export class AccountMetrics {
  private readonly accounts: Counter;
  private readonly logins: Counter<'outcome'>;

  constructor(@Optional() metrics?: Registry) {
    const registers = metrics ? [metrics] : [];
    this.accounts = new Counter({
      name: 'vitrine_accounts_registered_total',
      help: 'Accounts that people have opened; guests are none.',
      registers,
    });
    this.logins = new Counter({
      name: 'vitrine_logins_total',
      help: 'Tries to log in: accepted, refused, or slowed because too many have failed.',
      labelNames: ['outcome'],
      registers,
    });
  }

  registered(): void {
    this.accounts.inc();
  }

  /** Counts a try by how it ends; one that fails for a reason of ours is none. */
  async countLogin<Result>(login: () => Promise<Result>): Promise<Result> {
    try {
      const result = await login();
      this.logins.inc({ outcome: 'accepted' });
      return result;
    } catch (error) {
      if (error instanceof InvalidFieldsError) this.logins.inc({ outcome: 'refused' });
      if (error instanceof TooManyRequestsError) this.logins.inc({ outcome: 'slowed' });
      throw error;
    }
  }
}
