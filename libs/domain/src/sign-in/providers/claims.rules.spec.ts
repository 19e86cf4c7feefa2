import fc from 'fast-check';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import { claimOf, isWanted, roleOf, suggestedUsername } from './claims.rules';
import { type ProviderSettings, readProviders } from './provider-settings';

const settings = (more: object = {}): ProviderSettings =>
  readProviders(
    JSON.stringify([{ name: 'a', title: 'A', issuer: 'https://id.example.org', client_id: 'x', ...more }]),
  )[0]!;

describe('the claims of a provider', () => {
  it('are found by their name, or by a path', () => {
    const claims = { 'a.b': 1, a: { b: 2, c: { d: 3 } }, text: 'x' };
    expect(claimOf(claims, 'a.b')).toBe(1);
    expect(claimOf(claims, 'a.c.d')).toBe(3);
    for (const name of ['a.x', 'text.length', 'constructor', '__proto__', 'a.constructor.name'])
      expect(claimOf(claims, name)).toBeUndefined();
  });

  it.each([
    ['ada', 'ada'],
    ['ada.lovelace@example.org', 'ada_lovelace'],
    ['  Ada Lovelace  ', 'Ada_Lovelace'],
    ['x'.repeat(500), 'x'.repeat(30)],
    ['a', null],
    ['@example.org', null],
    ['Ада', null],
    [17, null],
    [undefined, null],
  ])('suggest for %p the username %p', (claim, username) =>
    expect(suggestedUsername({ preferred_username: claim }, settings())).toBe(username),
  );

  it('suggest only usernames that are allowed', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (claim) => {
        const username = suggestedUsername({ preferred_username: claim }, settings());
        expect(username ?? 'none').toMatch(USERNAME_PATTERN);
        expect((username ?? 'none').length).toBeGreaterThanOrEqual(3);
      }),
    ));

  it('give the highest role that the settings name, and none without settings', () => {
    const roles = settings({ role_claim: 'groups', roles: { mods: 'moderator', admins: 'admin' } });
    expect(roleOf({ groups: ['admins'] }, settings())).toBeNull();
    expect(roleOf({ groups: ['x', 'mods', 'admins', 7, null] }, roles)).toBe('admin');
    expect(roleOf({ groups: 'mods' }, roles)).toBe('moderator');
    for (const groups of [undefined, null, {}, ['toString', 'constructor', '__proto__'], 'admin'])
      expect(roleOf({ groups }, roles)).toBe('user');
  });

  it('let people in by the domain of a verified address', () => {
    const domains = settings({ email_domains: ['Example.org'] });
    const wanted = (email: unknown, verified: unknown = true) =>
      isWanted({ email, email_verified: verified }, domains);
    expect(isWanted({}, settings())).toBe(true);
    expect(wanted('ada@EXAMPLE.ORG')).toBe(true);
    for (const email of [
      'ada@example.org.evil.example',
      'ada@sub.example.org',
      'example.org@evil.example',
      null,
    ])
      expect(wanted(email)).toBe(false);
    for (const verified of [false, 'true', 1, undefined, null])
      expect(isWanted({ email: 'ada@example.org', email_verified: verified }, domains)).toBe(false);
  });
});
