import { Injectable } from '@nestjs/common';
import type { Inviters, RegistrationMode } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { InvalidFieldsError, NotAdmittedError } from '../../base/errors/domain-error';
import { AdmissionConfig } from './admission.config';
import { GuestUploadsConfig } from '../users/guests.config';
import { ApplicationRepository } from './application.repository';
import { inviteCodeHash, InviteRepository } from './invite.repository';

/** The rules of the site about who may register. */
export interface AdmissionRules {
  readonly registration: RegistrationMode;
  readonly guestUploads: boolean;
  readonly invitesBy: Inviters;
}

/** How a new account comes in. */
export type AdmissionGround =
  | { readonly by: 'nothing' }
  | { readonly by: 'invite'; readonly codeSha256: Buffer }
  | { readonly by: 'application'; readonly words: string };

const invalidInvite = () => new InvalidFieldsError({ invite: ['The selected invite is invalid.'] });
const required = (field: string) => new InvalidFieldsError({ [field]: [`The ${field} field is required.`] });

/** Decides who may register: `REGISTRATION`, invites and applications. */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly config: AdmissionConfig,
    private readonly guests: GuestUploadsConfig,
    private readonly invites: InviteRepository,
    private readonly applications: ApplicationRepository,
  ) {}

  /** The rules of this site. */
  rules(): AdmissionRules {
    const { registration, invitesBy } = this.config;
    return { registration, guestUploads: this.guests.guestUploads, invitesBy };
  }

  /**
   * How a person may register. An invite is checked in every mode in which one can register. Throws
   * `NotAdmittedError`, and `InvalidFieldsError` on a missing or invalid `invite`.
   */
  async admitRegistration(invite: string | null): Promise<AdmissionGround> {
    const { registration } = this.config;
    if (registration === 'closed') throw new NotAdmittedError('closed');
    if (invite) {
      const codeSha256 = inviteCodeHash(invite);
      if (!(await this.invites.isUsable(codeSha256, this.membersInvite()))) throw invalidInvite();
      return { by: 'invite', codeSha256 };
    }
    if (registration === 'invite') throw required('invite');
    if (registration === 'approval') throw new NotAdmittedError('approval');
    return { by: 'nothing' };
  }

  /** How a person may apply. Throws `NotAdmittedError`, and `InvalidFieldsError` on a blank `application`. */
  admitApplication(words: string): AdmissionGround {
    if (this.config.registration !== 'approval') throw new NotAdmittedError('no_applications');
    if (words.trim() === '') throw required('application');
    return { by: 'application', words };
  }

  /**
   * Lets a new account in, within the transaction that creates it: uses the invite, or adds the application. Throws
   * `InvalidFieldsError` on an `invite` that others have used up in the meantime.
   */
  async enter(tx: Transaction, userId: number, way: AdmissionGround): Promise<void> {
    if (way.by === 'invite' && !(await this.invites.use(tx, way.codeSha256, userId, this.membersInvite())))
      throw invalidInvite();
    if (way.by === 'application') await this.applications.insert(tx, userId, way.words);
  }

  /** Whether staff has not decided on the account yet. */
  isApplicant(userId: number): Promise<boolean> {
    return this.applications.exists(userId);
  }

  /** Ends an application. Returns false if it has been ended already. */
  endApplication(tx: Transaction, userId: number): Promise<boolean> {
    return this.applications.remove(tx, userId);
  }

  private membersInvite(): boolean {
    return this.config.invitesBy === 'members';
  }
}
