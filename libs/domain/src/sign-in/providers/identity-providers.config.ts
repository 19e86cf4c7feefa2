import { Consistent, parse, Setting } from '@vitrine/runtime';
import { type ProviderSettings, readProviders } from './provider-settings';

const EXAMPLE =
  '[{"name":"example","title":"Example","issuer":"https://id.example.org","client_id":"vitrine","client_secret":"a-secret-of-the-provider"}]';

/** How people log in: by passwords, and by which identity providers. */
@Consistent<IdentityProvidersConfig>({
  field: 'providers',
  must: 'name only issuers that begin with https://, unless OIDC_ALLOW_PRIVATE is on',
  holds: ({ providers, allowPrivate }) =>
    allowPrivate || providers.every(({ issuer }) => issuer.startsWith('https:')),
})
@Consistent<IdentityProvidersConfig>({
  field: 'passwordLogin',
  must: 'be on if OIDC_PROVIDERS is not set, because nobody could log in',
  holds: ({ passwordLogin, providers }) => passwordLogin || providers.length > 0,
})
export class IdentityProvidersConfig {
  @Setting({
    env: 'OIDC_PROVIDERS',
    why: 'The OpenID Connect providers with which people can log in: a JSON array, or the path of a file that contains it. docs/guides/accounts.md describes the fields.',
    parse: readProviders,
    secret: true,
    default: [],
    example: EXAMPLE,
  })
  providers!: readonly ProviderSettings[];

  @Setting({
    env: 'OIDC_ALLOW_PRIVATE',
    why: 'Whether identity providers may have private addresses and use http. Turn it on only for a provider in your own network.',
    parse: parse.flag,
    default: false,
    example: 'false',
  })
  allowPrivate!: boolean;

  /** Seconds within which an identity provider must answer one request: a login makes up to three while a person waits. */
  timeoutSeconds = 4;

  @Setting({
    env: 'PASSWORD_LOGIN',
    why: 'Whether people can log in and register with a password. If off, people can log in only with identity providers and passkeys.',
    parse: parse.flag,
    default: true,
    example: 'true',
  })
  passwordLogin!: boolean;
}
