import { Injectable } from '@nestjs/common';
import { AdmissionService, type WayIn } from '../admission/admission.service';
import { ProofOfWorkService } from '../proof-of-work/proof-of-work.service';
import {
  type EnterAccount,
  type OpenedSession,
  type Registration,
  UsersService,
} from '../users/users.service';

/** Registration and applications, as `REGISTRATION` allows them. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly admission: AdmissionService,
    private readonly users: UsersService,
    private readonly proofs: ProofOfWorkService,
  ) {}

  /**
   * Registers an account, with the code of an `invite` if there is one, and opens its first session. `proof` is the
   * proof of work. Throws as `UsersService.register`, `AdmissionService.admitRegistration` and
   * `ProofOfWorkService.accept` do.
   */
  async register(
    registration: Registration,
    invite: string | null,
    address: string,
    device: string | null,
    proof: string | null = null,
  ): Promise<OpenedSession> {
    const way = await this.admission.admitRegistration(invite);
    await this.proofs.accept(proof, 'register');
    return this.users.register(registration, address, device, this.enterBy(way));
  }

  /**
   * Creates an account on which staff has to decide before it can log in. Throws as `UsersService.register`,
   * `AdmissionService.admitApplication` and `ProofOfWorkService.accept` do.
   */
  async apply(
    registration: Registration,
    words: string,
    address: string,
    proof: string | null = null,
  ): Promise<void> {
    const way = this.admission.admitApplication(words);
    await this.proofs.accept(proof, 'apply');
    await this.users.apply(registration, address, this.enterBy(way));
  }

  private enterBy(way: WayIn): EnterAccount {
    return (tx, userId) => this.admission.enter(tx, userId, way);
  }
}
