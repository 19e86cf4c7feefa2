import { Injectable } from '@nestjs/common';
import { type Transaction, Database, violatedUniqueConstraint } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import {
  InvalidFieldsError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { AccountLinks, invalidLink } from '../../outgoing/mails/account-links.service';
import { Mails } from '../../outgoing/mails/mails.service';
import { AccountNotices } from './account-notices.service';
import { type Contact, EmailRepository } from './email.repository';

/** After this, a further link can be requested, in seconds: the shorter of the two limits of `Mails`. */
const RETRY_AFTER = 3_600;

/**
 * Email addresses of accounts. An address takes effect when its owner has used the link that was sent to it: only then is it
 * unique, a name to log in with, and the address to which mails are sent.
 */
@Injectable()
export class EmailAddresses {
  constructor(
    private readonly database: Database,
    private readonly repository: EmailRepository,
    private readonly mails: Mails,
    private readonly links: AccountLinks,
    private readonly notices: AccountNotices,
  ) {}

  /** Locks the contact of an active member; null if there is none. */
  lockContact(tx: Transaction, userId: number): Promise<Contact | null> {
    return this.repository.lock(tx, userId);
  }

  /** As `lockContact`, by username or verified address, ignoring case. */
  async lockContactByLogin(tx: Transaction, login: string): Promise<Contact | null> {
    const userId = await this.repository.findIdByLogin(tx, login);
    return userId === null ? null : this.repository.lock(tx, userId);
  }

  /**
   * Enters the address of an account, within a transaction that has locked it, and sends a link to the address. Until
   * the link is used, the address before still counts, and is told. Null removes the address at once.
   */
  async enter(tx: Transaction, userId: number, email: string | null): Promise<void> {
    const before = await this.repository.lock(tx, userId);
    if (!before) throw new UnauthenticatedError();
    await this.mails.revokeLinks(tx, userId, 'verify-email');
    await this.repository.enter(tx, userId, email);
    if (email === null) await this.mails.revokeLinks(tx, userId, 'reset-password');
    if (email === before.verifiedEmail) return;
    // If the address has had too many mails, the account has to ask for the link later.
    if (email !== null) await this.sendLink(tx, { ...before, email });
    if (before.verifiedEmail !== null) {
      const what = email === null ? 'email-removed' : 'email-change-requested';
      await this.notices.add(tx, userId, { what }, before.verifiedEmail);
    }
  }

  /**
   * Ends a change of the address that is not confirmed yet, within a transaction that has locked the account: its link
   * becomes invalid, and the entered address is the verified one again. An account without a verified address keeps the
   * entered one, and has to ask for the link again.
   */
  async cancelChange(tx: Transaction, userId: number): Promise<void> {
    await this.mails.revokeLinks(tx, userId, 'verify-email');
    await this.repository.returnToVerified(tx, userId);
  }

  /**
   * Sends the link to the caller's address again. Throws `InvalidFieldsError` on `email` if there is no address to
   * verify, and `TooManyRequestsError` if the address or the account has had too many links.
   */
  async sendLinkAgain(caller: Caller): Promise<void> {
    await this.database.transaction(async (tx) => {
      const contact = await this.repository.lock(tx, caller.userId);
      if (!contact) throw new UnauthenticatedError();
      const { email, verifiedEmail } = contact;
      if (email === null) throw new InvalidFieldsError({ email: ['The account has no email address.'] });
      if (email === verifiedEmail) {
        throw new InvalidFieldsError({ email: ['The email address is verified already.'] });
      }
      if (!(await this.sendLink(tx, { ...contact, email }))) throw new TooManyRequestsError(RETRY_AFTER);
    });
  }

  /**
   * Verifies an address by the code of its link. Throws `InvalidFieldsError` on `code` if the link is not valid, and on
   * `email` if another account has verified the address.
   */
  async verify(code: string): Promise<void> {
    const link = await this.links.find('verify-email', code);
    const { userId, address } = link;
    try {
      await this.database.transaction(async (tx) => {
        const contact = await this.repository.lock(tx, userId);
        if (!contact || contact.email !== address) throw invalidLink();
        await this.links.use(tx, 'verify-email', code, link);
        await this.repository.verify(tx, userId);
        const old = contact.verifiedEmail;
        if (old === null || old === address) return;
        // Those were sent to the old address.
        await this.mails.revokeLinks(tx, userId, 'reset-password');
        await this.notices.add(tx, userId, { what: 'email-changed' }, old);
      });
    } catch (error) {
      if (violatedUniqueConstraint(error) !== 'users_verified_email_key') throw error;
      throw new InvalidFieldsError({ email: ['Another account uses this email address.'] });
    }
  }

  private sendLink(
    tx: Transaction,
    { userId, username, email }: Contact & { email: string },
  ): Promise<boolean> {
    return this.mails.requestLink(tx, { userId, username, address: email, purpose: 'verify-email' });
  }
}
