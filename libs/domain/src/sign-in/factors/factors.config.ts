import { Consistent, parse, PublicUrlsConfig, Setting } from '@vitrine/runtime';

const EXAMPLE_KEY = 'another-long-random-text-of-32-characters-or-more';

const hostOf = (address: string): string => new URL(address).hostname;

/** Whether pages of a host may use passkeys of `id`: the host itself, or a domain above it. */
const mayUse = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`);

/** Second factors: the key of their secrets, and the site for which passkeys are valid. */
@Consistent<FactorsConfig>({
  field: 'passkeyDomain',
  must: 'be the host of PUBLIC_SITE_URL or a domain above it',
  beside: 'PUBLIC_SITE_URL',
  holds: (config) => config.passkeyDomain === '' || mayUse(hostOf(config.site), config.passkeyDomain),
})
export class FactorsConfig extends PublicUrlsConfig {
  @Setting({
    env: 'ACCOUNT_SECRETS_KEY',
    why: 'Key that encrypts the secrets of authenticator apps in the database; unset: accounts cannot use authenticator apps. If it changes, the apps must be set up again.',
    parse: parse.secret,
    default: '',
    example: EXAMPLE_KEY,
    warning: parse.warnIfGuessable(EXAMPLE_KEY),
  })
  accountSecretsKey!: string;

  @Setting({
    env: 'PASSKEY_DOMAIN',
    why: 'Domain for which passkeys are made (the RP ID of WebAuthn); unset: the host of PUBLIC_SITE_URL. If it changes, existing passkeys no longer work.',
    parse: parse.text,
    default: '',
    example: 'example.org',
  })
  passkeyDomain!: string;

  /** The domain of passkeys. */
  get rpId(): string {
    return this.passkeyDomain || hostOf(this.site);
  }

  /** The origins of the pages that may use passkeys. */
  get expectedOrigins(): string[] {
    return [new URL(this.site).origin];
  }
}
