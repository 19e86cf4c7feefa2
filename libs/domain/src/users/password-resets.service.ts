import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '@vitrine/database';
import { accountSubject } from '../audit/account-subject';
import { AuditLog } from '../audit/audit-log.service';
import { NotAdmittedError, NotFoundError } from '../errors/domain-error';
import { PendingLogins } from '../factors/pending-logins.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { LoginHistory } from '../login-history/login-history.service';
import { AccountLinks, invalidLink } from '../mails/account-links.service';
import { type MintedLink, Mails } from '../mails/mails.service';
import { PasswordStrength } from '../passwords/password-strength';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from './account-notices.service';
import { EmailRepository } from './email.repository';
import { MembersService } from './members.service';
import { PasswordHasher } from './password-hasher';
import type { Confirmed } from './reauthentication.service';
import { ResetRequestRepository } from './reset-request.repository';
import { UserRepository } from './user.repository';

/** New passwords for people who have forgotten theirs. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly requests: ResetRequestRepository,
    private readonly emails: EmailRepository,
    private readonly users: UserRepository,
    private readonly members: MembersService,
    private readonly mails: Mails,
    private readonly links: AccountLinks,
    private readonly passwords: PasswordHasher,
    private readonly tokens: TokensService,
    private readonly notices: AccountNotices,
    private readonly audit: AuditLog,
    private readonly strength: PasswordStrength,
    private readonly pending: PendingLogins,
    private readonly history: LoginHistory,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Requests a link for an account, given by username or verified address. Does the same whether or not there is such
   * an account, so that neither the answer nor its time tells: `resolveRequests` looks for it later. Throws
   * `NotAdmittedError` on a site without passwords.
   */
  async request(login: string): Promise<void> {
    this.assertPasswordsAdmitted();
    await this.transactions.run((tx) => this.requests.insert(tx, login));
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
    return this.transactions.run(async (tx) => {
      const request = await this.requests.take(tx);
      if (!request) return 'none';
      const userId = request.isLate ? null : await this.emails.findIdByLogin(tx, request.login);
      const contact = userId === null ? null : await this.emails.lock(tx, userId);
      if (!contact?.verifiedEmail) return 'ignored';
      const { username, verifiedEmail: address } = contact;
      const mail = { userId: contact.userId, username, address, purpose: 'reset-password' } as const;
      return (await this.mails.requestLink(tx, mail)) ? 'mailed' : 'ignored';
    });
  }

  /**
   * Creates a link with which the password of an account can be set once, within 30 minutes, also if the account has no
   * e-mail address. `by` is the proof of the admin; null for the operator. Throws `NotFoundError` if there is no such
   * member, as `MembersService.holdAdmin` does, and `NotAdmittedError` on a site without passwords.
   */
  async createResetLink(userId: number, by: Confirmed | null = null): Promise<MintedLink> {
    this.assertPasswordsAdmitted();
    return this.transactions.run(async (tx) => {
      await this.members.holdAdmin(tx, by);
      const account = await this.emails.lock(tx, userId);
      if (!account) throw new NotFoundError();
      const link = await this.mails.mintLink(tx, { userId, purpose: 'reset-password', address: null });
      const subject = accountSubject(userId, account.username);
      await this.audit.append(tx, { by: by?.caller ?? null, action: 'user.reset_link', subject });
      return link;
    });
  }

  /**
   * Sets a new password by the code of a link. Ends all sessions and removes all API tokens. Opens no session: the
   * person logs in, with the second factor if there is one. Throws `InvalidFieldsError` on `code` if the link is not
   * valid, and on `password` if it is easy to guess; `NotAdmittedError` on a site without passwords.
   */
  async reset(code: string, password: string): Promise<void> {
    this.assertPasswordsAdmitted();
    const link = await this.links.find('reset-password', code);
    const { userId } = link;
    const account = await this.users.findAccount(userId);
    await this.strength.assertStrong(password, [account?.username, account?.email]);
    const passwordHash = await this.passwords.hash(password);
    await this.transactions.run(async (tx) => {
      if (!(await this.emails.lock(tx, userId))) throw invalidLink();
      await this.links.use(tx, 'reset-password', code, link);
      await this.mails.revokeLinks(tx, userId, 'reset-password');
      await this.users.changePasswordHash(tx, userId, passwordHash);
      await this.tokens.removeAll(tx, userId);
      await this.pending.removeAll(tx, userId);
      await this.history.forgetDevices(tx, userId);
      await this.notices.add(tx, userId, { what: 'password-reset' });
    });
    this.tokens.forgetBearer(userId);
  }

  private assertPasswordsAdmitted(): void {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
  }
}
