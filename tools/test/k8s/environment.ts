import type { IContainer } from 'kubernetes-models/v1';
import type { Manifests } from './manifests';

export interface ContainerEnvironment {
  /** The environment of the process. Values that only the platform's vault knows are invented. */
  readonly environment: Readonly<Record<string, string>>;
  /** References to objects that don't exist. */
  readonly missing: readonly string[];
}

/** Long enough for any secret, and valid in any URL. */
const MADE_UP = 'a-value-of-the-vault-that-the-tests-do-not-know';
/** For values that a process takes apart. */
const MADE_UP_PARTS: Readonly<Record<string, string>> = {
  '.providers': JSON.stringify([
    {
      name: 'made-up',
      title: 'Made up',
      issuer: 'https://id.example.org',
      client_id: 'v',
      client_secret: MADE_UP,
    },
  ]),
};

/** The environment of a container, from ConfigMaps, Secrets, the results of External Secrets, and its own entries. */
export function environmentOf(manifests: Manifests, container: IContainer): ContainerEnvironment {
  const environment: Record<string, string> = {};
  const missing: string[] = [];
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const name = configMapRef?.name ?? secretRef?.name ?? '';
    const data = configMapRef ? configMap(manifests, name) : secret(manifests, name);
    if (data) Object.assign(environment, data);
    else missing.push(`there is no ${configMapRef ? 'ConfigMap' : 'Secret'} ${name}`);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const reference = valueFrom?.secretKeyRef;
    if (!reference) {
      environment[name] = value ?? '';
      continue;
    }
    const found = secret(manifests, reference.name ?? '')?.[reference.key];
    if (found !== undefined) environment[name] = found;
    else if (reference.optional !== true)
      missing.push(`there is no key ${reference.key} in ${reference.name}`);
  }
  return { environment, missing };
}

function configMap(manifests: Manifests, name: string): Readonly<Record<string, string>> | undefined {
  return manifests.of('ConfigMap').find(({ metadata }) => metadata?.name === name)?.data;
}

/** The keys and values of a Secret, from whatever source; undefined if nothing creates it. */
export function secret(manifests: Manifests, name: string): Readonly<Record<string, string>> | undefined {
  const own = manifests.of('Secret').find(({ metadata }) => metadata?.name === name);
  if (own) return map(own.data, (value) => Buffer.from(value, 'base64').toString('utf8'));
  const external = manifests.of('ExternalSecret').find(({ spec }) => spec?.target?.name === name);
  const made = external?.spec?.target?.template?.data;
  const certificate = manifests.of('Certificate').some(({ spec }) => spec?.secretName === name);
  if (certificate) return { 'ca.crt': MADE_UP, 'tls.crt': MADE_UP, 'tls.key': MADE_UP };
  const fill = (template: string, expression: string): string =>
    MADE_UP_PARTS[expression] ?? (template.includes('toJson') ? JSON.stringify(MADE_UP) : MADE_UP);
  return made && map(made, (value) => value.replace(/\{\{\s*([^}]*?)\s*\}\}/g, fill));
}

function map(
  record: Readonly<Record<string, string>> | undefined,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, change(value)]));
}
