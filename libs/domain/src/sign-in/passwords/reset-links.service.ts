import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { NotAdmittedError, NotFoundError } from '../../base/errors/domain-error';
import { type MintedLink, Mails } from '../../outgoing/mails/mails.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { EmailAddresses } from '../../accounts/users/email-addresses.service';
import { MembersService } from '../../accounts/users/members.service';
import type { Confirmed } from '../factors/reauthentication.service';
import { ResetRequestRepository } from './reset-request.repository';

/** The links with which people who have forgotten their password set a new one. */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly database: Database,
    private readonly requests: ResetRequestRepository,
    private readonly emails: EmailAddresses,
    private readonly members: MembersService,
    private readonly mails: Mails,
    private readonly audit: AuditLog,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Requests a link for an account, given by username or verified address. Does the same whether or not there is such
   * an account, so that neither the answer nor its time reveals it: `resolveRequests` looks for it later. Throws
   * `NotAdmittedError` on a site without passwords.
   */
  async request(login: string): Promise<void> {
    this.assertPasswordsAdmitted();
    await this.database.transaction((tx) => this.requests.insert(tx, login));
  }

  /**
   * Requests the mails for what `request` has stored, while `mayContinue` returns true: only to verified addresses, and not
   * too many to one. Returns how many. Several processes may do this at the same time.
   */
  async resolveRequests(mayContinue: () => boolean): Promise<number> {
    let mailed = 0;
    while (mayContinue()) {
      const outcome = await this.resolveOne();
      if (outcome === 'none') break;
      if (outcome === 'mailed') mailed++;
    }
    return mailed;
  }

  private resolveOne(): Promise<'none' | 'mailed' | 'ignored'> {
    return this.database.transaction(async (tx) => {
      const request = await this.requests.take(tx);
      if (!request) return 'none';
      const contact = request.isLate ? null : await this.emails.lockContactByLogin(tx, request.login);
      if (!contact?.verifiedEmail) return 'ignored';
      const { username, verifiedEmail: address } = contact;
      const mail = { userId: contact.userId, username, address, purpose: 'reset-password' } as const;
      return (await this.mails.requestLink(tx, mail)) ? 'mailed' : 'ignored';
    });
  }

  /**
   * Creates a link with which the password of an account can be set once, within 30 minutes, also if the account has no
   * email address. `by` is the proof of the admin; null for the operator. Throws `NotFoundError` if there is no such
   * member, as `MembersService.holdAdmin` does, and `NotAdmittedError` on a site without passwords.
   */
  async create(userId: number, by: Confirmed | null = null): Promise<MintedLink> {
    this.assertPasswordsAdmitted();
    return this.database.transaction(async (tx) => {
      await this.members.holdAdmin(tx, by);
      const account = await this.emails.lockContact(tx, userId);
      if (!account) throw new NotFoundError();
      const link = await this.mails.mintLink(tx, { userId, purpose: 'reset-password', address: null });
      const subject = accountSubject(userId, account.username);
      await this.audit.append(tx, { by: by?.caller ?? null, action: 'user.reset_link', subject });
      return link;
    });
  }

  private assertPasswordsAdmitted(): void {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
  }
}
