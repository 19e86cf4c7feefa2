import { randomBytes } from 'node:crypto';
import { ROLES, type Role } from '@vitrine/contracts';
import { TokenRequest, RegisterRequest } from '@vitrine/contracts/api';
import { AccountAdministration, AccountCreation, linkUrl, ResetLinks, UsersService } from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { checked } from '../command-line/checked';
import { withDomain } from '../command-line/contexts';
import { endOfDay } from '../command-line/end-of-day';

/** 120 random bits, 20 characters. */
const PASSWORD_BYTES = 15;

export const createUser: AdminCommand = {
  name: 'create-user',
  usage: 'NAME [--password P] [--email E] [--role R]',
  summary: 'Create an account; without --password, generate a password and print it.',
  async run(args, { print }) {
    const { NAME, password, email, role } = readArguments(args, {
      positions: ['NAME'],
      options: ['password', 'email', 'role'],
    });
    const generated = password === undefined ? randomBytes(PASSWORD_BYTES).toString('base64url') : undefined;
    const wanted = { username: NAME, password: password ?? generated, ...(email !== undefined && { email }) };
    const registration = checked(RegisterRequest, wanted);
    const asRole = readRole(role ?? 'user');
    await withDomain((context) => context.get(AccountCreation).create(registration, asRole));
    print(`Created the account ${NAME} with the role ${asRole}.`);
    if (generated !== undefined) print(`Its password: ${generated}`);
  },
};

export const changeRole: AdminCommand = {
  name: 'role',
  usage: `NAME ${ROLES.join('|')}`,
  summary: 'Change the role of an account, immediately.',
  async run(args, { print }) {
    const { NAME, ROLE } = readArguments(args, { positions: ['NAME', 'ROLE'], options: [] });
    const role = readRole(ROLE);
    await withDomain((context) => context.get(AccountAdministration).changeRole(NAME, role));
    print(`${NAME} has the role ${role}.`);
  },
};

export const mintToken: AdminCommand = {
  name: 'token',
  usage: 'NAME [--name N] [--scopes read,upload,write,moderate] [--expires DATE|never]',
  summary: 'Create an API token for an account and print it on the last line.',
  async run(args, { print }) {
    const { NAME, name, scopes, expires } = readArguments(args, {
      positions: ['NAME'],
      options: ['name', 'scopes', 'expires'],
    });
    const wanted = checked(TokenRequest, {
      name: name ?? 'admin',
      ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
      ...(expires !== undefined && { expires_at: expires === 'never' ? null : endOfDay(expires) }),
    });
    await withDomain(async (context) => {
      const { name, scopes, expires_at: expiresAt } = wanted;
      const made = await context.get(AccountAdministration).createTokenFor(NAME, { name, scopes, expiresAt });
      const { secret, token } = made;
      const end = token.expiresAt ? `until ${token.expiresAt.toISOString()}` : 'without expiry';
      print(`A token of ${NAME} for ${token.scopes.join(', ')}, ${end}, shown only once:`);
      print(secret);
    });
  },
};

export const removeSecondFactor: AdminCommand = {
  name: 'remove-second-factor',
  usage: 'NAME',
  summary: 'Remove the authenticator app, passkeys and recovery codes of an account. The owner is notified.',
  async run(args, { print }) {
    const { NAME } = readArguments(args, { positions: ['NAME'], options: [] });
    await withDomain((context) => context.get(AccountAdministration).removeSecondFactors(NAME));
    print(`${NAME} has no second factor and logs in only with the password.`);
  },
};

export const resetPassword: AdminCommand = {
  name: 'reset-password',
  usage: 'NAME',
  summary: 'Print a link with which the password of an account can be set once, within 30 minutes.',
  async run(args, { print }) {
    const { NAME } = readArguments(args, { positions: ['NAME'], options: [] });
    await withDomain(async (context) => {
      const { id } = await context.get(UsersService).findByUsername(NAME);
      const { code, expiresAt } = await context.get(ResetLinks).create(id);
      print(`A link to set a new password for ${NAME}, once, until ${expiresAt.toISOString()}:`);
      print(linkUrl(context.get(PublicUrlsConfig).site, 'reset-password', code));
    });
  },
};

function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new UsageError(`A role is one of ${ROLES.join(', ')}.`);
  return role;
}
