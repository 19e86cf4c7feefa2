import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import {
  type PasskeyAssertion,
  type PasskeyOptions,
  Passkeys,
  type VerifiedPasskey,
} from '../factors/passkeys.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';

const wrongPasskey = () => new InvalidFieldsError({ passkey: ['This passkey could not be verified.'] });

/** Passkeys in logins. */
@Injectable()
export class PasskeyProofs {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountPasswords,
    private readonly passkeys: Passkeys,
    private readonly notices: AccountNotices,
  ) {}

  /** Options for the browser to log in with any passkey; or, given an account, with one of its passkeys. */
  options(userId: number | null): Promise<PasskeyOptions> {
    return this.passkeys.assertionOptions(userId === null ? 'login' : 'confirmation', userId);
  }

  /**
   * Verifies a passkey of an account, or of any account if `userId` is null, and does `work`, which must call `use` in
   * its transaction. Disables the passkey if its counter shows that it was copied. Throws `InvalidFieldsError` on
   * `passkey`.
   */
  async prove<Result>(
    sent: PasskeyAssertion,
    userId: number | null,
    work: (owner: number, use: (tx: Transaction) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const passkey = await this.passkeys.verify(sent, userId === null ? 'login' : 'confirmation', userId);
    if (!passkey) throw wrongPasskey();
    try {
      return await work(passkey.userId, (tx) => this.use(tx, passkey));
    } catch (error) {
      if (!(error instanceof ClonedPasskeyError)) throw error;
      // The transaction of the login was rolled back, so the passkey ends in another one.
      await this.disable(passkey);
      throw wrongPasskey();
    }
  }

  private async use(tx: Transaction, passkey: VerifiedPasskey): Promise<void> {
    if (!(await this.accounts.lockActive(tx, passkey.userId, 'change'))) throw wrongPasskey();
    if (!(await this.passkeys.use(tx, passkey))) throw new ClonedPasskeyError();
  }

  private async disable(passkey: VerifiedPasskey): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (await this.passkeys.markCloned(tx, passkey))
        await this.notices.add(tx, passkey.userId, { what: 'passkey-cloned', name: passkey.name });
    });
  }
}

/** The counter of a passkey did not rise: a copy of it exists. */
class ClonedPasskeyError extends Error {}
