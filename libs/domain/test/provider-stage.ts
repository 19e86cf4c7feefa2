import { randomBytes } from 'node:crypto';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { LyingProvider } from './lying-provider';
import { RegistrationService } from '../src/accounts/admission/registration.service';
import type { Caller } from '../src/base/access/caller';
import { AdmissionConfig } from '../src/accounts/admission/admission.config';
import { AccountErasureModule } from '../src/accounts/deletion/account-erasure.module';
import { IdentityProvidersConfig } from '../src/sign-in/providers/identity-providers.config';
import { AdmissionModule } from '../src/accounts/admission/admission.module';
import { FactorsModule } from '../src/sign-in/factors/factors.module';
import { TokensService } from '../src/sign-in/tokens/tokens.service';
import { LinkedProviders } from '../src/sign-in/logins/linked-providers.service';
import {
  type BegunLogin,
  ProviderLogins,
  type ProviderOutcome,
} from '../src/sign-in/logins/provider-logins.service';
import { PasswordsModule } from '../src/sign-in/passwords/passwords.module';
import { ProfilesModule } from '../src/accounts/profiles/profiles.module';
import { LoginsModule } from '../src/sign-in/logins/logins.module';

export const PASSWORD = 'correct horse battery';
export const ORIGIN = { client: '192.0.2.1', device: 'Firefox on Linux' };
export const FAILED = { errors: { login: [expect.stringContaining('failed. Please start again.')] } };

/** Starts providers and the services before a suite's tests; returns them and helpers for the tests. */
export function useProviders() {
  const one = new LyingProvider('one');
  const two = new LyingProvider('two');
  const staff = new LyingProvider('staff');
  let domain: DomainContext;
  let logins: ProviderLogins;
  let linked: LinkedProviders;

  beforeAll(async () => {
    await Promise.all([one, two, staff].map((provider) => provider.start()));
    domain = await startDomain(
      [LoginsModule, AdmissionModule, AccountErasureModule, FactorsModule, PasswordsModule, ProfilesModule],
      {
        OIDC_PROVIDERS: JSON.stringify([
          one.settings(),
          two.settings(),
          staff.settings({
            role_claim: 'realm.groups',
            roles: { admins: 'admin', mods: 'moderator' },
            email_domains: ['example.org'],
          }),
          { name: 'down', title: 'Down', issuer: 'http://127.0.0.1:1', client_id: 'vitrine' },
        ]),
        OIDC_ALLOW_PRIVATE: 'true',
        PUBLIC_SITE_URL: 'https://site.example',
      },
    );
    logins = domain.get(ProviderLogins);
    linked = domain.get(LinkedProviders);
  });
  beforeEach(async () => {
    await query(
      'truncate users, identity_attempts, identity_newcomers, identity_pending_sessions, identity_logouts, outbox cascade',
    );
    Object.assign(domain.get(AdmissionConfig), { registration: 'open' });
    Object.assign(domain.get(IdentityProvidersConfig), { passwordLogin: true });
    for (const provider of [one, two, staff]) provider.lies = {};
  });
  afterAll(async () => {
    await domain.stop();
    await Promise.all([one, two, staff].map((provider) => provider.stop()));
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const callerOf = async (secret: string): Promise<Caller> =>
    (await domain.get(TokensService).authenticate(secret))!;
  const finish = (
    at: LyingProvider,
    { transaction }: BegunLogin,
    parameters: string,
    caller: Caller | null = null,
  ) => logins.finish(at.name, transaction, parameters, caller, ORIGIN);
  /** A whole login of a person at a provider. */
  const logIn = async (at: LyingProvider, subject: string, fresh = false): Promise<ProviderOutcome> => {
    const begun = await logins.begin(at.name, fresh);
    return finish(at, begun, at.approve(begun.url, subject));
  };
  const signUp = async (at: LyingProvider, subject: string, fresh = false): Promise<Caller> => {
    const login = await logIn(at, subject, fresh);
    if (login.outcome !== 'newcomer') throw new Error(login.outcome);
    const account = { username: login.suggestedUsername!, invite: null, application: null };
    const opened = await logins.register(at.name, login.registration, account, subject, null);
    return callerOf(opened!.secret);
  };
  const member = async (username = `m_${randomBytes(6).toString('hex')}`): Promise<Caller> => {
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD }, null, username, null);
    return callerOf(secret);
  };
  const link = async (caller: Caller, at: LyingProvider, subject: string): Promise<ProviderOutcome> => {
    const begun = await logins.beginLink(caller, at.name, { currentPassword: PASSWORD });
    return finish(at, begun, at.approve(begun.url, subject), caller);
  };

  return {
    one,
    two,
    staff,
    query,
    callerOf,
    finish,
    logIn,
    signUp,
    member,
    link,
    get domain() {
      return domain;
    },
    get logins() {
      return logins;
    },
    get linked() {
      return linked;
    },
  };
}
