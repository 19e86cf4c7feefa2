import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { IdentityProviders } from './identity-providers.service';
import { IdentityRepository } from './identity.repository';

const lastCredential = () =>
  new InvalidFieldsError({
    way_in: ['This is the last way to log in to your account. Add another one before you remove it.'],
  });

/** The ways to log in to accounts: a password, passkeys, and identities at providers. An account never loses the last one. */
@Injectable()
export class LoginCredentials {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * To be called after a way to log in was removed, in the same transaction, which has locked the account. Throws
   * `InvalidFieldsError` on `way_in` if the account could not log in any more.
   */
  async assertLeft(tx: Transaction, userId: number): Promise<void> {
    const ways = await this.repository.countLoginCredentials(tx, userId, {
      passwords: this.providers.passwordLogin,
      issuers: this.providers.issuers(),
    });
    if (ways === 0) throw lastCredential();
  }
}
