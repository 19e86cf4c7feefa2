import { ConfigurationError, loadConfig } from '@vitrine/runtime';
import { FactorsConfig } from './factors.config';

const load = (env: Record<string, string | undefined>) => loadConfig(FactorsConfig, env);

describe('the settings of passkeys', () => {
  it('follow from the address of the site', () => {
    const config = load({ PUBLIC_SITE_URL: 'https://www.example.org' });
    expect([config.rpId, config.expectedOrigins]).toEqual(['www.example.org', ['https://www.example.org']]);
  });

  it('may name a domain above the site', () => {
    const config = load({
      PUBLIC_SITE_URL: 'https://www.example.org',
      PASSKEY_DOMAIN: 'example.org',
    });
    expect(config.rpId).toBe('example.org');
    expect(config.expectedOrigins).toEqual(['https://www.example.org']);
  });

  it.each([
    { PASSKEY_DOMAIN: 'example.com' },
    { PASSKEY_DOMAIN: 'ample.org' },
    { PASSKEY_DOMAIN: 'a.www.example.org' },
  ])('stop the process if they do not fit the site: %j', (env) => {
    expect(() => load({ PUBLIC_SITE_URL: 'https://www.example.org', ...env })).toThrow(ConfigurationError);
  });
});
