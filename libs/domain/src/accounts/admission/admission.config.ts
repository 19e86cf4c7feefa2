import { INVITERS, type Inviters, REGISTRATION_MODES, type RegistrationMode } from '@vitrine/contracts';
import { parse, Setting } from '@vitrine/runtime';

/** Who may register, and how often. */
export class AdmissionConfig {
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

  @Setting({
    env: 'ACCOUNTS_PER_ADDRESS_PER_DAY',
    why: 'New accounts that one address (IPv6: one /64 network) may register in a UTC day.',
    parse: parse.integer(1),
    default: 20,
    example: '20',
  })
  accountsPerAddressPerDay!: number;

  @Setting({
    env: 'RESERVED_USERNAMES',
    why: 'Usernames that cannot be registered, comma-separated, ignoring case; in addition to the built-in ones such as admin and support.',
    parse: parse.list,
    default: [],
    example: 'staff,billing',
  })
  reservedUsernames!: readonly string[];
}
