import type { DiscoveryService } from '@nestjs/core';
import { isConfig, type SettingRecord, settingsOf } from './setting';

/** A setting with the value that a process uses. */
export interface EffectiveSetting {
  /** Of the environment variable. */
  readonly name: string;
  /** One line: what it is for, with its unit. */
  readonly description: string;
  /** Whether its value is never shown. */
  readonly secret: boolean;
  /** Whether there is a value, as opposed to none or an empty one. */
  readonly set: boolean;
  /** Null if it is secret. */
  readonly value: string | null;
}

/** Names of variables that hold secrets, and values that contain one: also if nobody has declared it. */
const SECRET_NAME = /KEY|SECRET|PASSWORD|TOKEN|CREDENTIAL/;
const WITH_CREDENTIALS = /:\/\/[^/\s]*@/;

/** Returns the settings of some configuration classes with the values in their instances, by name; no value of a secret. */
export const effectiveSettings = (configs: readonly object[]): readonly EffectiveSetting[] =>
  configs
    .flatMap((config) =>
      settingsOf(config.constructor as new () => object).map((setting) =>
        describe(setting, (config as Readonly<Record<string, unknown>>)[setting.key]),
      ),
    )
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Returns the settings of all configuration classes that a process has built. */
export function settingsInEffect(discovery: DiscoveryService): readonly EffectiveSetting[] {
  const configs = discovery.getProviders().filter(({ token }) => isConfig(token));
  return effectiveSettings([...new Set(configs.map(({ instance }) => instance as object))]);
}

function describe({ env, why, secret }: SettingRecord, value: unknown): EffectiveSetting {
  const text = textOf(value);
  const isSecret =
    secret === true || SECRET_NAME.test(env) || WITH_CREDENTIALS.test(text) || hasNamedParts(value);
  return { name: env, description: why, secret: isSecret, set: text !== '', value: isSecret ? null : text };
}

/** Structured values may hold a secret in any of their parts, so they are never shown. */
const hasNamedParts = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasNamedParts) : typeof value === 'object' && value !== null;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}=${textOf(part)}`)
    .join(',');
}
