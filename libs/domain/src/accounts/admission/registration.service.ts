import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { NotAdmittedError } from '../../base/errors/domain-error';
import { type Browser, LoginHistory } from '../../sign-in/tokens/login-history.service';
import { ProofOfWorkService } from '../../sign-in/proof-of-work/proof-of-work.service';
import { IdentityProviders } from '../../sign-in/providers/identity-providers.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountMetrics } from '../users/account-metrics';
import { type NewSession, type OpenedSession, UsersService } from '../users/users.service';
import { AccountCreation, type CheckedRegistration, type Registration } from './account-creation.service';
import { type AdmissionGround, AdmissionService } from './admission.service';

/** A registration that the rules of the site allow. */
export interface AdmittedRegistration extends CheckedRegistration {
  readonly ground: AdmissionGround;
}

/** Registration and applications, as `REGISTRATION` allows them. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly admission: AdmissionService,
    private readonly creation: AccountCreation,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly history: LoginHistory,
    private readonly proofs: ProofOfWorkService,
    private readonly providers: IdentityProviders,
    private readonly metrics: AccountMetrics,
  ) {}

  /**
   * Registers an account, with the code of an `invite` if there is one, and opens its first session, in a browser that is
   * known from then on. `proof` is the proof of work. Throws as `admit` does.
   */
  async register(
    registration: Registration,
    invite: string | null,
    address: string,
    browser: Browser | null,
    proof: string | null = null,
  ): Promise<OpenedSession> {
    const admitted = await this.admit(registration, invite, address, proof);
    const { userId, session } = await this.database.transaction(async (tx) => {
      const userId = await this.add(tx, admitted);
      return { userId, session: await this.openSession(tx, userId, address, browser) };
    });
    this.metrics.registered();
    return { account: await this.users.findAccount(userId), ...session };
  }

  /** Creates an account on which staff has to decide before it can log in. Throws as `admitApplication` does. */
  async apply(
    registration: Registration,
    words: string,
    address: string,
    proof: string | null = null,
  ): Promise<void> {
    const admitted = await this.admitApplication(registration, words, address, proof);
    await this.database.transaction((tx) => this.add(tx, admitted));
    this.metrics.registered();
  }

  /**
   * Checks a registration. People whom an identity provider has proved have no password and need no proof of work.
   * Throws as `AdmissionService.admitRegistration`, `ProofOfWorkService.accept` and `AccountCreation.check` do, and
   * `NotAdmittedError` for a password on a site without passwords.
   */
  async admit(
    registration: Registration,
    invite: string | null,
    address: string,
    proof: string | null = null,
  ): Promise<AdmittedRegistration> {
    this.assertMayHavePassword(registration);
    const ground = await this.admission.admitRegistration(invite);
    if (registration.password !== null) await this.proofs.accept(proof, 'register');
    return { ...(await this.creation.check(registration, address)), ground };
  }

  /** As `admit`, for an application: throws as `AdmissionService.admitApplication`. */
  async admitApplication(
    registration: Registration,
    words: string,
    address: string,
    proof: string | null = null,
  ): Promise<AdmittedRegistration> {
    this.assertMayHavePassword(registration);
    const ground = this.admission.admitApplication(words);
    if (registration.password !== null) await this.proofs.accept(proof, 'apply');
    return { ...(await this.creation.check(registration, address)), ground };
  }

  /** Adds an account and returns its id. Throws as `AccountCreation.add` and `AdmissionService.enter` do. */
  async add(tx: Transaction, { ground, ...registration }: AdmittedRegistration): Promise<number> {
    const userId = await this.creation.add(tx, registration);
    await this.admission.enter(tx, userId, ground);
    return userId;
  }

  /** Opens the first session of an account, within the transaction that adds it. */
  async openSession(
    tx: Transaction,
    userId: number,
    address: string,
    browser: Browser | null,
  ): Promise<NewSession> {
    const { device = null, deviceToken = null } = browser ?? {};
    const session = await this.tokens.openSession(tx, userId, device);
    const login = { method: 'registration', secondFactor: null, device, address, deviceToken } as const;
    const { token } = await this.history.record(tx, userId, login);
    return { ...session, deviceToken: token };
  }

  private assertMayHavePassword({ password }: Registration): void {
    if (password !== null && !this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
  }
}
