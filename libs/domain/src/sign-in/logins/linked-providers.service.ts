import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { PendingLogins } from '../factors/pending-logins.service';
import { IdentitiesService } from '../providers/identities.service';
import type { Identity } from '../providers/identity.repository';
import { LoginCredentials } from '../providers/login-credentials.service';
import { IdentityProviders, type ProviderName } from '../providers/identity-providers.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { type Proof, ReauthenticationService } from '../factors/reauthentication.service';
import { answerOf } from './provider-errors.rules';

/** An identity with its provider; null if the operator has removed the provider. */
export interface LinkedProvider extends Identity {
  readonly provider: ProviderName | null;
}

/** The identities of accounts, and the end of sessions that providers opened. */
@Injectable()
export class LinkedProviders {
  constructor(
    private readonly database: Database,
    private readonly providers: IdentityProviders,
    private readonly identities: IdentitiesService,
    private readonly credentials: LoginCredentials,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly tokens: TokensService,
    private readonly pending: PendingLogins,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /** The identities of an account, oldest first. */
  async list(userId: number): Promise<readonly LinkedProvider[]> {
    const identities = await this.identities.list(userId);
    return identities.map((identity) => ({
      ...identity,
      provider: this.providers.findByIssuer(identity.issuer)?.settings ?? null,
    }));
  }

  /**
   * Removes an identity of the caller. Throws `NotFoundError`, `InvalidFieldsError` on `way_in` if it is the last way to
   * log in, and as `ReauthenticationService.confirm` does.
   */
  async unlink(caller: Caller, id: number, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      const issuer = await this.identities.remove(tx, caller.userId, id);
      if (issuer === null) throw new NotFoundError();
      await this.credentials.assertLeft(tx, caller.userId);
      const title = this.providers.findByIssuer(issuer)?.settings.title ?? issuer;
      await this.notices.add(tx, caller.userId, { what: 'provider-unlinked', title });
    });
  }

  /**
   * Ends the caller's session. Returns the address at which the session at the provider ends too; null if no provider
   * opened the session, or the provider has none or can't be reached.
   */
  async logOut(caller: Caller): Promise<string | null> {
    const issuer = await this.identities.findIssuerOfSession(caller.tokenId);
    await this.tokens.revokeCurrent(caller);
    const connection = issuer === null ? null : this.providers.findByIssuer(issuer);
    if (!connection) return null;
    return answerOf(connection, connection.logoutUrl(`${this.urls.site}/`)).catch(() => null);
  }

  /**
   * Ends the sessions that a provider names in a logout token. Throws `InvalidFieldsError` if the token is not valid or
   * was used before, `NotFoundError` for an unknown provider, and `UnavailableError`.
   */
  async endSessions(name: string, logoutToken: string): Promise<void> {
    const connection = this.providers.find(name);
    const notice = await answerOf(connection, connection.readLogout(logoutToken));
    const ended = await this.database.transaction(async (tx) => {
      if (!(await this.identities.useLogout(tx, notice)))
        throw new InvalidFieldsError({ logout_token: ['The logout token was used before.'] });
      // Pending logins first, in the order of locks of `LoginsService.complete`: one that is being completed has a session
      // afterwards, which the next statement finds.
      await this.pending.removeSome(tx, await this.identities.findPendingLogins(tx, notice));
      const sessions = await this.identities.findSessions(tx, notice);
      await this.tokens.removeSessions(
        tx,
        sessions.map(({ tokenId }) => tokenId),
      );
      await this.identities.removePendingLogins(tx, notice);
      return sessions;
    });
    for (const { userId } of ended) this.tokens.forgetBearer(userId);
  }
}
