import { ROLES, type Role } from '@vitrine/contracts';
import type { ProviderSettings } from './provider-settings';

export type Claims = Readonly<Record<string, unknown>>;

/** Values of a role claim that are looked at. */
const MAX_VALUES = 1000;

/** A claim by its name, or, if there is none, by a path of names with dots between them. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** A username that the claim suggests, as far as usernames allow; null if nothing is left of it. */
export function suggestedUsername(claims: Claims, { username_claim: name }: ProviderSettings): string | null {
  const value = claimOf(claims, name);
  if (typeof value !== 'string') return null;
  // Some providers put an email address there.
  const text = value
    .slice(0, 200)
    .split('@', 1)
    .join()
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .split('_')
    .filter(Boolean)
    .join('_')
    .slice(0, 30);
  return text.length < 3 ? null : text;
}

/** The highest role that the claim gives, `user` if it gives none; null if the provider decides about no roles. */
export function roleOf(claims: Claims, { role_claim: name, roles }: ProviderSettings): Role | null {
  if (name === undefined) return null;
  const given = [claimOf(claims, name)].flat().slice(0, MAX_VALUES);
  const granted = given.map((value) =>
    typeof value === 'string' && Object.hasOwn(roles, value) ? ROLES.indexOf(roles[value]!) : 0,
  );
  return ROLES[Math.max(0, ...granted)] ?? null;
}

/** Whether a person may log in: everyone, or people with a verified email address of certain domains. */
export function isWanted(claims: Claims, { email_domains: domains }: ProviderSettings): boolean {
  if (domains === undefined) return true;
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || verified !== true) return false;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((each) => each.toLowerCase() === domain);
}

/** The claims that the settings need and these claims lack. */
export const lacksClaims = (claims: Claims, provider: ProviderSettings): boolean =>
  [
    provider.username_claim,
    ...(provider.role_claim === undefined ? [] : [provider.role_claim]),
    ...(provider.email_domains === undefined ? [] : ['email', 'email_verified']),
  ].some((name) => claimOf(claims, name) === undefined);
