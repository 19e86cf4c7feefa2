import { type SettingRecord, settingsOf } from './setting';

/** A setting with the value that a process uses. */
export interface EffectiveSetting {
  readonly env: string;
  /** One line: what it is for, with its unit. */
  readonly why: string;
  readonly isSecret: boolean;
  /** Whether there is a value, as opposed to none or an empty one. */
  readonly isSet: boolean;
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
    .sort((a, b) => a.env.localeCompare(b.env, 'en'));

function describe({ env, why, secret }: SettingRecord, value: unknown): EffectiveSetting {
  const text = textOf(value);
  const isSecret =
    secret === true || SECRET_NAME.test(env) || WITH_CREDENTIALS.test(text) || hasNamedParts(value);
  return { env, why, isSecret, isSet: text !== '', value: isSecret ? null : text };
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
