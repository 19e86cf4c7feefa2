import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { debianProgram, whyMissing } from '../programs/debian-program';
import { describeUnless } from '../programs/describe-unless';
import { type GuardedServer, startGuardedServer } from '../programs/guarded-server';
import { freePort } from '../service-process';

const CONFIGURATION = resolve(__dirname, '../../../../docker/caddy/Caddyfile');

/**
 * `describe` if Caddy can be started. Otherwise the suite is skipped with the reason in its name, or fails if `CI=true`, so
 * that CI can't lose these tests unnoticed.
 */
export function describeWithCaddy(name: string, suite: () => void): void {
  describeUnless(whyMissing('caddy'), name, suite);
}

/** Starts Debian's Caddy with the configuration with which operators let it send the files of this folder. */
export async function startSendingCaddy(upload: string, objects: string): Promise<GuardedServer> {
  const program = debianProgram('caddy');
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-caddy-'));
  await chmod(folder, 0o755);
  const path = join(folder, 'Caddyfile');
  const text = (await readFile(CONFIGURATION, 'utf8'))
    .replace(':8080 {', `http://:${port} {\n\tbind 127.0.0.1`)
    .replaceAll('127.0.0.1:3001', new URL(upload).host)
    .replaceAll('/var/lib/vitrine/objects', objects);
  await writeFile(path, text);
  // Caddy keeps its state in the folders of its user.
  const state = [`XDG_CONFIG_HOME=${folder}`, `XDG_DATA_HOME=${folder}`];
  const parts = [...state, program, 'run', '--config', path, '--adapter', 'caddyfile'];
  const server = await startGuardedServer('/usr/bin/env', parts, port);
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
