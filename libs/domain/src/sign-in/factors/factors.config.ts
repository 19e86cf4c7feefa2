import { Consistent, parse, PublicUrlsConfig, Setting } from '@vitrine/runtime';

const EXAMPLE_KEY = 'another-long-random-text-of-32-characters-or-more';

const hostOf = (address: string): string => new URL(address).hostname;
const isSecure = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || hostname === 'localhost';

/** Whether pages of a host may use passkeys of `id`: the host itself, or a domain above it. */
const mayUse = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`);

/** Second factors: the key of their secrets, and the site for which passkeys are valid. */
@Consistent<FactorsConfig>({
  field: 'passkeyDomain',
  must: 'be the host of PUBLIC_SITE_URL or a domain above it',
  beside: 'PUBLIC_SITE_URL',
  holds: (config) => config.passkeyDomain === '' || mayUse(hostOf(config.site), config.passkeyDomain),
})
@Consistent<FactorsConfig>({
  field: 'passkeyOrigins',
  must: 'be origins of PASSKEY_DOMAIN, with https:// unless on localhost',
  beside: 'PASSKEY_DOMAIN',
  holds: (config) =>
    config.passkeyOrigins.every((origin) => {
      if (!URL.canParse(origin)) return false;
      const url = new URL(origin);
      return (
        url.origin === origin &&
        isSecure(url) &&
        mayUse(url.hostname, config.passkeyDomain || hostOf(config.site))
      );
    }),
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

  @Setting({
    env: 'PASSKEY_ORIGINS',
    why: 'Origins of the pages that may use passkeys, comma-separated; unset: the origin of PUBLIC_SITE_URL.',
    parse: parse.list,
    default: [],
    example: 'https://www.example.org',
  })
  passkeyOrigins!: readonly string[];

  /** The domain of passkeys. */
  get rpId(): string {
    return this.passkeyDomain || hostOf(this.site);
  }

  get expectedOrigins(): string[] {
    return this.passkeyOrigins.length > 0 ? [...this.passkeyOrigins] : [new URL(this.site).origin];
  }
}
