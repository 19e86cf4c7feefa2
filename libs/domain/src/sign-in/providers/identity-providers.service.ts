import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../base/errors/domain-error';
import { IdentityProvidersConfig } from './identity-providers.config';
import { ProviderConnection } from './provider-connection';
import { ProviderHttp } from './provider-http';

/** A provider as people see it. */
export interface ProviderName {
  readonly name: string;
  readonly title: string;
}

/** The identity providers of this site. */
@Injectable()
export class IdentityProviders {
  private readonly connections: readonly ProviderConnection[];

  constructor(
    private readonly config: IdentityProvidersConfig,
    http: ProviderHttp,
  ) {
    const { allowPrivate, timeoutSeconds } = config;
    this.connections = config.providers.map(
      (settings) =>
        new ProviderConnection(settings, http, { allowPrivate, patienceMs: timeoutSeconds * 1000 }),
    );
  }

  /** Whether people may log in and register with a password. */
  get passwordLogin(): boolean {
    return this.config.passwordLogin;
  }

  /** In the operator's order. */
  list(): readonly ProviderName[] {
    return this.connections.map(({ settings: { name, title } }) => ({ name, title }));
  }

  /** Throws `NotFoundError`. */
  find(name: string): ProviderConnection {
    const connection = this.connections.find(({ settings }) => settings.name === name);
    if (!connection) throw new NotFoundError();
    return connection;
  }

  /** The provider of an identity; null if the operator has removed it. */
  findByIssuer(issuer: string): ProviderConnection | null {
    return this.connections.find(({ settings }) => settings.issuer === issuer) ?? null;
  }

  /** The issuers with which people can log in. */
  issuers(): readonly string[] {
    return this.connections.map(({ settings }) => settings.issuer);
  }
}
