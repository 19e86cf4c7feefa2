import { Injectable, Logger } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { type Transaction, Database, violatedUniqueConstraint } from '@vitrine/database';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Caller } from '../../base/access/caller';
import { AdmissionService } from '../../accounts/admission/admission.service';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { InvalidFieldsError, NotAdmittedError } from '../../base/errors/domain-error';
import { IdentitiesService } from '../providers/identities.service';
import type { Browser } from '../tokens/login-history.service';
import type { ProviderSession } from '../providers/identity.repository';
import { handshakeOf, type ProvedIdentity, type ProviderConnection } from '../providers/provider-connection';
import { IdentityProviders } from '../providers/identity-providers.service';
import { RegistrationService } from '../../accounts/admission/registration.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from '../../accounts/users/account-metrics';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import { type LoginOrigin, type LoginResult, LoginSessions } from './login-sessions.service';
import { MembersService } from '../../accounts/users/members.service';
import { type Proof, ReauthenticationService } from '../factors/reauthentication.service';
import type { OpenedSession } from '../../accounts/users/users.service';
import { answerOf, failedLogin } from './provider-errors.rules';

/** A login that has begun: the browser keeps the secret and goes to the address. */
export interface BegunLogin {
  readonly url: string;
  readonly transaction: string;
  readonly expiresAt: Date;
}

/** How a login at a provider ended. */
export type ProviderOutcome =
  | LoginResult
  | {
      readonly outcome: 'newcomer';
      readonly registration: string;
      readonly expiresAt: Date;
      readonly suggestedUsername: string | null;
    }
  | { readonly outcome: 'linked' };

/** What a new person chooses. */
export interface NewcomerAccount {
  readonly username: string;
  readonly invite: string | null;
  /** What an applicant writes to staff, where staff decides. */
  readonly application: string | null;
}

const takenIdentity = (title: string) =>
  new InvalidFieldsError({ login: [`This ${title} account already belongs to an account here.`] });

/** Logging in, signing up and linking with identity providers. */
@Injectable()
export class ProviderLogins {
  private readonly logger = new Logger(ProviderLogins.name);

  constructor(
    private readonly database: Database,
    private readonly providers: IdentityProviders,
    private readonly identities: IdentitiesService,
    private readonly admission: AdmissionService,
    private readonly registration: RegistrationService,
    private readonly sessions: LoginSessions,
    private readonly accounts: AccountPasswords,
    private readonly members: MembersService,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly tokens: TokensService,
    private readonly metrics: AccountMetrics,
    private readonly audit: AuditLog,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /**
   * Begins a login at a provider; `fresh`: the person must prove again who they are. Throws `NotFoundError` for an
   * unknown provider, and `UnavailableError` if the provider can't be reached.
   */
  async begin(name: string, fresh: boolean): Promise<BegunLogin> {
    return this.beginAttempt(this.providers.find(name), fresh, null);
  }

  /**
   * Begins to link a provider to the caller's account. Throws `InvalidFieldsError` on an unknown `provider`, otherwise as
   * `begin` and `ReauthenticationService.confirm` do.
   */
  async beginLink(caller: Caller, name: string, proof: Proof): Promise<BegunLogin> {
    if (!this.providers.list().some((provider) => provider.name === name))
      throw new InvalidFieldsError({ provider: ['The selected provider is invalid.'] });
    const connection = this.providers.find(name);
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction((tx) => confirmed.hold(tx, 'share'));
    return this.beginAttempt(connection, false, caller.tokenId);
  }

  /**
   * Finishes a login with the query of the callback. `caller` is who is logged in there, which matters only for linking.
   * Throws `InvalidFieldsError` on `login`, `UnavailableError`, and `NotAdmittedError` for a new person if registration
   * is closed.
   */
  async finish(
    name: string,
    secret: string,
    query: string,
    caller: Caller | null,
    origin: LoginOrigin,
  ): Promise<ProviderOutcome> {
    const connection = this.providers.find(name);
    const { title, issuer } = connection.settings;
    const parameters = new URLSearchParams(query);
    const handshake = handshakeOf(secret);
    // Before anything is used up: a stranger's link must not end the login that this browser has begun.
    const states = parameters.getAll('state');
    if (states.length !== 1 || states[0] !== handshake.state) throw failedLogin(title);
    const attempt = await this.identities.take(secret, issuer);
    if (!attempt) throw failedLogin(title);
    if (attempt.linkedBy !== null && attempt.linkedBy !== caller?.tokenId) throw failedLogin(title);
    const { fresh } = attempt;
    const identity = await answerOf(
      connection,
      connection.exchange(parameters, handshake, this.callbackOf(name), fresh),
    );
    if (attempt.linkedBy !== null && caller) {
      await this.link(caller, identity, title);
      return { outcome: 'linked' };
    }
    const userId = await this.identities.findUserId(identity);
    if (userId === null) return this.welcome(identity, fresh);
    return this.metrics.countLogin(this.logIn(userId, { ...identity, fresh }, title, origin));
  }

  /**
   * Creates the account of a new person, by the same rules as registration with a password. Returns null if staff has to
   * decide first. Throws as `RegistrationService` does, and `InvalidFieldsError` on `login` if too much time has passed.
   */
  async register(
    name: string,
    secret: string,
    { username, invite, application }: NewcomerAccount,
    address: string,
    browser: Browser | null,
  ): Promise<OpenedSession | null> {
    const { title, issuer } = this.providers.find(name).settings;
    const newcomer = await this.identities.findNewcomer(secret, issuer);
    if (!newcomer) throw failedLogin(title);
    const account = { username, password: null };
    const applies =
      this.admission.rules().registration === 'approval' && invite === null && application !== null;
    const admitted = applies
      ? await this.registration.admitApplication(account, application, address)
      : await this.registration.admit(account, invite, address);
    try {
      const { userId, session } = await this.database.transaction(async (tx) => {
        const userId = await this.registration.add(tx, admitted);
        if (!(await this.identities.forgetNewcomer(tx, secret))) throw failedLogin(title);
        await this.identities.add(tx, userId, newcomer);
        if (applies) return { userId, session: null };
        // An applicant gets the role at the first login.
        if (newcomer.role !== null && newcomer.role !== 'user')
          await this.changeRole(tx, { userId, username, from: 'user', to: newcomer.role }, title);
        const session = await this.registration.openSession(tx, userId, address, browser);
        await this.identities.noteSession(tx, session.id, newcomer);
        return { userId, session };
      });
      this.metrics.registered();
      return session && (await this.sessions.withAccount(userId, session));
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'identities_subject_key' ? takenIdentity(title) : error;
    }
  }

  private async beginAttempt(
    connection: ProviderConnection,
    fresh: boolean,
    linkedBy: number | null,
  ): Promise<BegunLogin> {
    const { issuer, name } = connection.settings;
    const { secret, expiresAt } = await this.identities.begin({ issuer, fresh, linkedBy });
    const url = await answerOf(
      connection,
      connection.authorizationUrl(handshakeOf(secret), this.callbackOf(name), fresh),
    );
    return { url: url.href, transaction: secret, expiresAt };
  }

  private async welcome(identity: ProvedIdentity, fresh: boolean): Promise<ProviderOutcome> {
    if (this.admission.rules().registration === 'closed') throw new NotAdmittedError('closed');
    const { secret, expiresAt } = await this.identities.welcome({ ...identity, fresh });
    const { suggestedUsername } = identity;
    return { outcome: 'newcomer', registration: secret, expiresAt, suggestedUsername };
  }

  private async logIn(
    userId: number,
    identity: ProvedIdentity & ProviderSession,
    title: string,
    origin: LoginOrigin,
  ): Promise<LoginResult> {
    await this.sessions.assertMayLogIn(userId);
    const opened = await this.database.transaction(async (tx) => {
      const admins = identity.role === null ? [] : await this.members.lockActiveAdmins(tx);
      // The account may have been deleted, or the identity unlinked, since it was found.
      if (!(await this.accounts.lockActive(tx, userId, 'change'))) throw failedLogin(title);
      if (!(await this.identities.noteUse(tx, userId, identity))) throw failedLogin(title);
      if (identity.role !== null) await this.applyRole(tx, userId, identity.role, admins, title);
      const opened = await this.sessions.open(tx, userId, origin, 'provider');
      if ('accepted' in opened) await this.identities.notePendingLogin(tx, opened.secret, identity);
      else await this.identities.noteSession(tx, opened.id, identity);
      return opened;
    });
    if (identity.role !== null) this.tokens.forgetBearer(userId);
    return this.sessions.resultOf(userId, opened);
  }

  /** Gives an account the role that its provider says, but never takes the role from the only one of the `admins`. */
  private async applyRole(
    tx: Transaction,
    userId: number,
    role: Role,
    admins: readonly number[],
    title: string,
  ): Promise<void> {
    const member = await this.members.lock(tx, userId);
    if (member.role === role) return;
    if (member.role === 'admin' && admins.every((id) => id === userId)) {
      this.logger.warn(`${member.username} stays an admin, as the only one, against the provider's claim`);
      return;
    }
    await this.changeRole(tx, { userId, username: member.username, from: member.role, to: role }, title);
  }

  /** No account of staff acts here, so the detail of the entry in the audit log names the provider. */
  private async changeRole(
    tx: Transaction,
    change: { readonly userId: number; readonly username: string; readonly from: Role; readonly to: Role },
    title: string,
  ): Promise<void> {
    const { userId, username, from, to } = change;
    await this.members.changeRole(tx, userId, to);
    const subject = accountSubject(userId, username);
    const detail = { from, to, by: `provider ${title}` };
    await this.audit.append(tx, { by: null, action: 'user.change_role', subject, detail });
  }

  private async link(caller: Caller, identity: ProvedIdentity, title: string): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        await this.tokens.hold(tx, [caller.tokenId]);
        await this.identities.add(tx, caller.userId, identity);
        await this.notices.add(tx, caller.userId, { what: 'provider-linked', title });
      });
    } catch (error) {
      switch (violatedUniqueConstraint(error)) {
        case 'identities_subject_key':
          throw takenIdentity(title);
        case 'identities_account_key':
          throw new InvalidFieldsError({ login: [`Your account is already linked with ${title}.`] });
        default:
          throw error;
      }
    }
  }

  /** The only address to which the provider may send people back. */
  private callbackOf(name: string): string {
    return `${this.urls.site}/log-in/${name}/callback`;
  }
}
