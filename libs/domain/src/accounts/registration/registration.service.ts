import { Injectable } from '@nestjs/common';
import { AdmissionService, type AdmissionGround } from '../admission/admission.service';
import { NotAdmittedError } from '../../base/errors/domain-error';
import type { Browser } from '../../sign-in/history/login-history.service';
import { IdentityProviders } from '../../sign-in/providers/identity-providers.service';
import { ProofOfWorkService } from '../../sign-in/proof-of-work/proof-of-work.service';
import type { Registration } from '../users/account-creation.service';
import {
  type EnterAccount,
  type NoteSession,
  type OpenedSession,
  UsersService,
} from '../users/users.service';

/** Registration and applications, as `REGISTRATION` allows them. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly admission: AdmissionService,
    private readonly users: UsersService,
    private readonly proofs: ProofOfWorkService,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Registers an account, with the code of an `invite` if there is one, and opens its first session. `proof` is the
   * proof of work, which people whom an identity provider has proved don't need. Throws as `UsersService.register`,
   * `AdmissionService.admitRegistration` and `ProofOfWorkService.accept` do, and `NotAdmittedError` for a password on
   * a site without passwords. `also` takes part in the transaction.
   */
  async register(
    registration: Registration,
    invite: string | null,
    address: string,
    browser: Browser | null,
    proof: string | null = null,
    also: { readonly enter?: EnterAccount; readonly note?: NoteSession } = {},
  ): Promise<OpenedSession> {
    this.assertMayHavePassword(registration);
    const way = await this.admission.admitRegistration(invite);
    if (registration.password !== null) await this.proofs.accept(proof, 'register');
    return this.users.register(registration, address, browser, this.enterBy(way, also.enter), also.note);
  }

  /**
   * Creates an account on which staff has to decide before it can log in. Throws as `UsersService.register`,
   * `AdmissionService.admitApplication` and `ProofOfWorkService.accept` do, and `NotAdmittedError` for a password on a
   * site without passwords.
   */
  async apply(
    registration: Registration,
    words: string,
    address: string,
    proof: string | null = null,
    also: { readonly enter?: EnterAccount } = {},
  ): Promise<void> {
    this.assertMayHavePassword(registration);
    const way = this.admission.admitApplication(words);
    if (registration.password !== null) await this.proofs.accept(proof, 'apply');
    await this.users.apply(registration, address, this.enterBy(way, also.enter));
  }

  private assertMayHavePassword({ password }: Registration): void {
    if (password !== null && !this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
  }

  private enterBy(way: AdmissionGround, also: EnterAccount | undefined): EnterAccount {
    return async (tx, userId) => {
      await this.admission.enter(tx, userId, way);
      await also?.(tx, userId);
    };
  }
}
