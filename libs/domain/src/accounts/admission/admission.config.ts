import { INVITERS, type Inviters, REGISTRATION_MODES, type RegistrationMode } from '@vitrine/contracts';
import { parse, Setting } from '@vitrine/runtime';

/** Who may upload on the website without an account. */
export class GuestUploadsConfig {
  @Setting({
    env: 'GUEST_UPLOADS',
    why: 'Whether visitors without an account may upload on the website.',
    parse: parse.flag,
    default: true,
    example: 'false',
  })
  guestUploads!: boolean;
}

/** Who may register. */
export class AdmissionConfig extends GuestUploadsConfig {
  @Setting({
    env: 'REGISTRATION',
    why: 'Who may register: open (everyone), approval (staff decide on each account; an invite replaces the decision), invite (only with an invite) or closed (nobody).',
    parse: parse.oneOf(...REGISTRATION_MODES),
    default: 'open',
    example: 'invite',
  })
  registration!: RegistrationMode;

  @Setting({
    env: 'INVITES_BY',
    why: 'Who may create invites: staff (moderators and admins) or members.',
    parse: parse.oneOf(...INVITERS),
    default: 'staff',
    example: 'members',
  })
  invitesBy!: Inviters;
}
