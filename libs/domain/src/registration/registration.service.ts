import { Injectable } from '@nestjs/common';
import { AdmissionService, type AdmissionGround } from '../admission/admission.service';
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
  ) {}

  /**
   * Registers an account, with the code of an `invite` if there is one, and opens its first session. Throws as
   * `UsersService.register` and `AdmissionService.admitRegistration` do.
   */
  async register(
    registration: Registration,
    invite: string | null,
    address: string,
    device: string | null,
  ): Promise<OpenedSession> {
    const way = await this.admission.admitRegistration(invite);
    return this.users.register(registration, address, device, this.enterBy(way));
  }

  /**
   * Creates an account on which staff has to decide before it can log in. Throws as `UsersService.register` and
   * `AdmissionService.admitApplication` do.
   */
  async apply(registration: Registration, words: string, address: string): Promise<void> {
    const way = this.admission.admitApplication(words);
    await this.users.apply(registration, address, this.enterBy(way));
  }

  private enterBy(way: AdmissionGround): EnterAccount {
    return (tx, userId) => this.admission.enter(tx, userId, way);
  }
}
