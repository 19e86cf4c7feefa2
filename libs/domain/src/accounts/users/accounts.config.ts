import { parse, Setting } from '@vitrine/runtime';

/** Limits of registration. */
export class AccountsConfig {
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
