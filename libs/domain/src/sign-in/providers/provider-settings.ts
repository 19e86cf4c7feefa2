import { readFileSync } from 'node:fs';
import { ROLES, type Role } from '@vitrine/contracts';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsFQDN,
  IsObject,
  IsOptional,
  IsUrl,
  Length,
  Matches,
  type ValidationError,
  validateSync,
} from 'class-validator';

const MAX_PROVIDERS = 20;

/** An identity provider, as the operator describes it in `OIDC_PROVIDERS`. */
export class ProviderSettings {
  /** In addresses: `/log-in/<name>`. */
  @Matches(/^[a-z0-9][a-z0-9-]{0,29}$/)
  name!: string;

  /** What people see. */
  @Length(1, 50)
  title!: string;

  @IsUrl({ require_tld: false, protocols: ['https', 'http'], require_protocol: true, allow_fragments: false })
  issuer!: string;

  @Length(1, 200)
  client_id!: string;

  /** Absent for a public client, which PKCE alone protects. */
  @IsOptional()
  @Length(16, 1000)
  client_secret?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @Matches(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, { each: true })
  scopes: readonly string[] = ['openid', 'profile', 'email'];

  /** The claim that suggests a username to new people. A dot leads into an object. */
  @IsOptional()
  @Length(1, 100)
  username_claim: string = 'preferred_username';

  /** Only people with a verified email address of these domains come in; absent: everyone whom the provider knows. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsFQDN({}, { each: true })
  email_domains?: readonly string[];

  /** The claim, a text or a list, that decides the role at each login; absent: logins don't change roles. */
  @IsOptional()
  @Length(1, 100)
  role_claim?: string;

  /** The roles that values of `role_claim` give. */
  @IsOptional()
  @IsObject()
  roles: Readonly<Record<string, Role>> = {};
}

/**
 * Reads `OIDC_PROVIDERS`: a JSON array, or the path of a file that contains it. Throws an `Error` whose message completes
 * "must be …" and contains no value, because values may be secrets.
 */
export function readProviders(text: string): readonly ProviderSettings[] {
  const list = readJson(text.startsWith('[') ? text : readText(text));
  if (!Array.isArray(list) || list.length > MAX_PROVIDERS)
    throw new Error(`a JSON array of at most ${MAX_PROVIDERS} providers`);
  const providers = list.map((item: unknown, index) => readProvider(item, index + 1));
  for (const field of ['name', 'issuer'] as const) {
    if (new Set(providers.map((provider) => provider[field])).size < providers.length)
      throw new Error(`a list of providers that each have a different ${field}`);
  }
  return providers;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new Error('a JSON array of providers, or the path of a readable file that contains it');
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('valid JSON');
  }
}

function readProvider(item: unknown, number: number): ProviderSettings {
  const fault = (what: string): Error => new Error(`a list of valid providers; provider ${number}: ${what}`);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw fault('must be an object');
  const [empty] = Object.entries(item).find(([, value]) => value === null) ?? [];
  if (empty !== undefined) throw fault(`${empty} must not be null`);
  const provider = Object.assign(new ProviderSettings(), item);
  const [error] = validateSync(provider, { whitelist: true, forbidNonWhitelisted: true });
  if (error) throw fault(firstMessage(error));
  if (!provider.scopes.includes('openid')) throw fault('scopes must contain openid');
  if (!Object.values(provider.roles).every((role) => ROLES.includes(role)))
    throw fault(`each of roles must be one of ${ROLES.join(', ')}`);
  if ((provider.role_claim === undefined) !== (Object.keys(provider.roles).length === 0))
    throw fault('role_claim and roles must be set together');
  return provider;
}

const firstMessage = ({ constraints, property }: ValidationError): string =>
  Object.values(constraints ?? {})[0] ?? `${property} is invalid`;
