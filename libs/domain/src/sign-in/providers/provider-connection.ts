import { Slots } from '@vitrine/concurrency';
import type { Role } from '@vitrine/contracts';
import type { JWTVerifyGetKey } from 'jose';
import type { AuthorizationCodeGrantChecks, Configuration } from 'openid-client';
import { type Claims, isWanted, lacksClaims, roleOf, suggestedUsername } from './claims.rules';
import { type LogoutNotice, readLogoutToken } from './logout-token';
import { ProviderUnreachableError, UnprovedIdentityError, UnwantedIdentityError } from './provider-errors';
import type { ProviderHttp } from './provider-http';
import type { ProviderSettings } from './provider-settings';
import { createHmac } from 'node:crypto';

/** What ties a login at a provider to the browser that began it. */
export interface Handshake {
  /** Comes back in the browser's address. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** PKCE: the provider gives tokens only to the sender of this value. 43 characters, as RFC 7636 requires. */
  readonly codeVerifier: string;
}

/**
 * The values of a login, which follow from the secret that the browser keeps. So the database holds only the hash of
 * that secret, and another browser can't finish the login.
 */
export function handshakeOf(secret: string): Handshake {
  const derive = (purpose: string): string =>
    createHmac('sha256', secret).update(`vitrine oidc ${purpose}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') };
}

/** What a provider says about a person who has logged in there. */
export interface ProvedIdentity {
  readonly issuer: string;
  /** The provider's own and permanent name of the person. */
  readonly subject: string;
  /** The session at the provider, for back-channel logout; null if it has no name. */
  readonly session: string | null;
  readonly suggestedUsername: string | null;
  /** The role that the provider gives; null if it decides about no roles. */
  readonly role: Role | null;
}

export interface ConnectionOptions {
  readonly allowPrivate: boolean;
  /** Milliseconds that a request waits while too many others wait for the provider. */
  readonly patienceMs: number;
}

/** How long metadata are used before they are read again. */
const METADATA_MS = 3_600_000;
/** How long it takes until metadata that could not be read are tried again. */
const RETRY_MS = 5_000;
/** Requests that may wait for one provider at a time, so that a slow one doesn't hold up the others' requests. */
const AT_ONCE = 16;
/** How long ago people may have proved who they are if they have to do it again, in seconds. */
const FRESH_SECONDS = 300;
/** OpenID Connect Core 1.0, 2. */
const MAX_SUBJECT = 255;
/** All that use a private key: neither `none` nor one with the client's secret. */
const SIGNING_ALGORITHMS = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
]; // prettier-ignore

/**
 * One provider. Its libraries are ES modules that only a process with providers needs, so they are loaded when the
 * provider is used first. Nothing is asked of the provider before that.
 */
export class ProviderConnection {
  private readonly slots = new Slots(AT_ONCE);
  private discovered: Promise<Configuration> | undefined;
  private keys: JWTVerifyGetKey | undefined;
  private discoverAgainAt = 0;

  constructor(
    readonly settings: ProviderSettings,
    private readonly http: ProviderHttp,
    private readonly options: ConnectionOptions,
  ) {}

  /** The address at which a person logs in; `fresh`: the person must prove again who they are. */
  authorizationUrl(handshake: Handshake, redirectUri: string, fresh: boolean): Promise<URL> {
    return this.inSlot(async () => {
      const client = await import('openid-client');
      const configuration = await this.configuration();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.settings.scopes.join(' '),
        state: handshake.state,
        nonce: handshake.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(handshake.codeVerifier),
        code_challenge_method: 'S256',
        ...(fresh && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
      });
    });
  }

  /**
   * Finishes a login: checks the callback's parameters, exchanges the code and checks the ID token with its signature.
   * Throws `UnprovedIdentityError`, `UnwantedIdentityError` and `ProviderUnreachableError`.
   */
  exchange(
    parameters: URLSearchParams,
    handshake: Handshake,
    redirectUri: string,
    fresh: boolean,
  ): Promise<ProvedIdentity> {
    const callback = new URL(redirectUri);
    callback.search = parameters.toString();
    return this.inSlot(() => orUnproved(this.exchangeCode(callback, handshake, fresh)));
  }

  private async exchangeCode(callback: URL, handshake: Handshake, fresh: boolean): Promise<ProvedIdentity> {
    const client = await import('openid-client');
    const configuration = await this.configuration();
    const checks: AuthorizationCodeGrantChecks = {
      expectedState: handshake.state,
      expectedNonce: handshake.nonce,
      pkceCodeVerifier: handshake.codeVerifier,
      idTokenExpected: true,
      ...(fresh && { maxAge: FRESH_SECONDS }),
    };
    const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
    const idToken = tokens.claims();
    if (!idToken || idToken.sub === '' || idToken.sub.length > MAX_SUBJECT)
      throw new UnprovedIdentityError('The ID token has no usable subject.');
    const known = configuration.serverMetadata().userinfo_endpoint;
    const claims: Claims =
      known !== undefined && lacksClaims(idToken, this.settings)
        ? { ...(await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub)), ...idToken }
        : idToken;
    return this.identityOf(idToken.sub, claims);
  }

  /** The address at which people end their session at the provider; null if it has none. */
  async logoutUrl(returnTo: string): Promise<string | null> {
    return this.inSlot(async () => {
      const client = await import('openid-client');
      const configuration = await this.configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    });
  }

  /** Verifies the token with which the provider ends sessions. Throws as `exchange` does. */
  readLogout(token: string): Promise<LogoutNotice> {
    return this.inSlot(() => orUnproved(this.verifyLogout(token)));
  }

  private async verifyLogout(token: string): Promise<LogoutNotice> {
    const metadata = (await this.configuration()).serverMetadata();
    if (metadata.jwks_uri === undefined) throw new UnprovedIdentityError('The provider has no keys.');
    const jose = await import('jose');
    this.keys ??= jose.createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [jose.customFetch]: this.http.fetch,
    });
    const notice = await readLogoutToken(jose, token, this.keys, {
      audience: this.settings.client_id,
      issuer: metadata.issuer,
      algorithms: SIGNING_ALGORITHMS,
    });
    return { ...notice, issuer: this.settings.issuer };
  }

  private identityOf(subject: string, claims: Claims): ProvedIdentity {
    if (!isWanted(claims, this.settings)) throw new UnwantedIdentityError();
    const { sid } = claims;
    return {
      issuer: this.settings.issuer,
      subject,
      session: typeof sid === 'string' && sid.length <= MAX_SUBJECT ? sid : null,
      suggestedUsername: suggestedUsername(claims, this.settings),
      role: roleOf(claims, this.settings),
    };
  }

  /** The provider's metadata, read once an hour; after a failure the next request after some seconds tries again. */
  private configuration(): Promise<Configuration> {
    if (this.discovered && performance.now() < this.discoverAgainAt) return this.discovered;
    this.discoverAgainAt = Infinity;
    const discovered = this.discover();
    const keepFor = (ms: number) => (): void => {
      this.discoverAgainAt = performance.now() + ms;
    };
    discovered.then(keepFor(METADATA_MS), keepFor(RETRY_MS));
    this.discovered = discovered;
    this.keys = undefined;
    return discovered;
  }

  private async discover(): Promise<Configuration> {
    const client = await import('openid-client');
    const { issuer, client_id: id, client_secret: secret } = this.settings;
    const { allowPrivate } = this.options;
    const configuration = await client
      .discovery(
        new URL(issuer),
        id,
        undefined,
        (server, ...rest) => {
          // Basic authentication is the default of the specification.
          const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
          const authenticate =
            secret === undefined
              ? client.None()
              : methods.includes('client_secret_basic')
                ? client.ClientSecretBasic(secret)
                : client.ClientSecretPost(secret);
          authenticate(server, ...rest);
        },
        {
          [client.customFetch]: this.http.fetch,
          execute: [
            // Also signatures of ID tokens that came straight from the provider are checked.
            client.enableNonRepudiationChecks,
            ...(allowPrivate ? [client.allowInsecureRequests] : []),
          ],
        },
      )
      .catch((error: unknown) => {
        throw new ProviderUnreachableError('The metadata of the provider could not be read.', {
          cause: error,
        });
      });
    const metadata = configuration.serverMetadata();
    if (metadata.code_challenge_methods_supported && !configuration.serverMetadata().supportsPKCE())
      throw new ProviderUnreachableError('The provider does not support PKCE with S256.');
    for (const address of [metadata.authorization_endpoint, metadata.end_session_endpoint]) {
      // Browsers are sent there.
      if (address !== undefined && !/^https:/i.test(address) && !(allowPrivate && /^http:/i.test(address)))
        throw new ProviderUnreachableError('An address of the provider does not begin with https://.');
    }
    return configuration;
  }

  private inSlot<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.slots.run(task, {
      ms: this.options.patienceMs,
      late: () => new ProviderUnreachableError('Too many requests wait for the provider.'),
    });
  }
}

/** Errors of the libraries are about what somebody else has sent, unless a request failed. */
async function orUnproved<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    const causes = causesOf(error);
    const known = causes.find(
      (cause) =>
        cause instanceof ProviderUnreachableError ||
        cause instanceof UnprovedIdentityError ||
        cause instanceof UnwantedIdentityError,
    );
    throw known ?? new UnprovedIdentityError(explain(causes), { cause: error });
  }
}

/** An error, its cause, and so on. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  return causes;
}

/** The messages of the libraries name what is wrong, and no values. */
const explain = (causes: readonly Error[]): string =>
  causes
    .map((cause) =>
      'error' in cause && typeof cause.error === 'string'
        ? `${cause.message}: ${cause.error}`
        : cause.message,
    )
    .join(' ← ')
    .replaceAll(/[^\x20-\x7e←]/g, '')
    .slice(0, 300);
