import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './docker-build';

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly target: string; readonly args?: Readonly<Record<string, string>> };
  readonly command?: readonly string[];
  readonly env_file?: readonly { readonly path: string }[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly user?: string;
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const COMPOSE_TEXT = readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8');

/** docker/compose.yaml with its anchors resolved and its `${…}` not replaced. */
export function readCompose(): ComposeFile {
  return parse(COMPOSE_TEXT, { merge: true }) as ComposeFile;
}

/** Replaces `${NAME:-default}`, `${NAME:?complaint}` and `$$` as Compose does. Throws the complaint if a value is missing. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole, name?: string, mode?: string, word = '') => {
      if (whole === '$$' || name === undefined) return '$';
      const value = variables[name];
      if (value) return value;
      if (mode === '?') throw new Error(`${name}: ${word}`);
      return mode === '-' ? word : '';
    },
  );
}
