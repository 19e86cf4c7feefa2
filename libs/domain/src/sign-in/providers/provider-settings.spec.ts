import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, effectiveSettings, loadConfig } from '@vitrine/runtime';
import { IdentityProvidersConfig } from './identity-providers.config';
import { readProviders } from './provider-settings';

const SECRET = 'canary-5f1d-canary-5f1d';
const ONE = {
  name: 'one',
  title: 'One',
  issuer: 'https://id.example.org/realms/main',
  client_id: 'vitrine',
  client_secret: SECRET,
};
const read = (...providers: readonly unknown[]) => readProviders(JSON.stringify(providers));

describe('OIDC_PROVIDERS', () => {
  it('is a JSON array, with defaults for what is missing', () => {
    expect(read(ONE)).toEqual([
      { ...ONE, scopes: ['openid', 'profile', 'email'], username_claim: 'preferred_username', roles: {} },
    ]);
    expect(read()).toEqual([]);
  });

  it('can be the path of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-providers-'));
    try {
      const path = join(folder, 'providers.json');
      await writeFile(path, JSON.stringify([ONE]));
      expect(readProviders(path)).toMatchObject([{ name: 'one' }]);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(() => readProviders('/nowhere/providers.json')).toThrow('the path of a readable file');
  });

  it.each<[unknown, string]>([
    ['[', 'valid JSON'],
    [[7], 'provider 1: must be an object'],
    [[ONE, { ...ONE, name: 'Two!' }], 'provider 2: name must match'],
    [[{ ...ONE, name: undefined }], 'provider 1: name must match'],
    [[{ ...ONE, title: '' }], 'title must be longer'],
    [[{ ...ONE, scopes: null }], 'provider 1: scopes must not be null'],
    [[{ ...ONE, issuer: 'id.example.org' }], 'issuer must be a URL'],
    [[{ ...ONE, issuer: 'file:///etc/passwd' }], 'issuer must be a URL'],
    [[{ ...ONE, client_secret: 'short' }], 'client_secret must be longer'],
    [[{ ...ONE, client_secrets: SECRET }], 'property client_secrets should not exist'],
    [[{ ...ONE, scopes: ['email'] }], 'scopes must contain openid'],
    [[{ ...ONE, scopes: ['openid', 'a b'] }], 'each value in scopes must match'],
    [[{ ...ONE, email_domains: ['@example.org'] }], 'each value in email_domains must be'],
    [
      [{ ...ONE, role_claim: 'groups', roles: { admins: 'root' } }],
      'each of roles must be one of user, moderator',
    ],
    [[{ ...ONE, role_claim: 'groups' }], 'role_claim and roles must be set together'],
    [[{ ...ONE, roles: { admins: 'admin' } }], 'role_claim and roles must be set together'],
    [[ONE, { ...ONE, issuer: 'https://other.example.org' }], 'a different name'],
    [[ONE, { ...ONE, name: 'two' }], 'a different issuer'],
    [Array.from({ length: 21 }, () => ONE), 'at most 20 providers'],
  ])('refuses %j', (value, message) => {
    const refusal = (): unknown => readProviders(typeof value === 'string' ? value : JSON.stringify(value));
    expect(refusal).toThrow(message);
    expect(refusal).not.toThrow(SECRET);
  });

  it('must use https, and be set if passwords are off', () => {
    const problems = (env: Readonly<Record<string, string>>): readonly string[] => {
      try {
        loadConfig(IdentityProvidersConfig, env);
        return [];
      } catch (error) {
        return (error as ConfigurationError).problems;
      }
    };
    const http = JSON.stringify([{ ...ONE, issuer: 'http://localhost:8080' }]);
    expect(problems({ OIDC_PROVIDERS: http })).toEqual([
      expect.stringContaining('OIDC_PROVIDERS must name only issuers that begin with https://'),
    ]);
    expect(problems({ OIDC_PROVIDERS: http, OIDC_ALLOW_PRIVATE: 'on' })).toEqual([]);
    expect(problems({ PASSWORD_LOGIN: 'off' })).toEqual([
      expect.stringContaining('PASSWORD_LOGIN must be on if OIDC_PROVIDERS is not set'),
    ]);
    expect(problems({ PASSWORD_LOGIN: 'off', OIDC_PROVIDERS: JSON.stringify([ONE]) })).toEqual([]);
  });

  it('is never shown among the settings in effect', () => {
    const config = loadConfig(IdentityProvidersConfig, { OIDC_PROVIDERS: JSON.stringify([ONE]) });
    const shown = effectiveSettings([config]);
    expect(shown.find(({ name }) => name === 'OIDC_PROVIDERS')).toMatchObject({ set: true, value: null });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });
});
