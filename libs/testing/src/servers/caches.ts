import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackage } from '../programs/debian-package';
import { debianProgram, whyMissing } from '../programs/debian-program';
import { describeUnless } from '../programs/describe-unless';
import { type GuardedServer, startGuardedServer } from '../programs/guarded-server';

/** nginx's module for removing cached answers. */
export const NGINX_CACHE_PURGE = '/usr/lib/nginx/modules/ngx_http_cache_purge_module.so';
const MODULE_PACKAGE = 'libnginx-mod-http-cache-purge';

/**
 * `describe` if Varnish and nginx with its module cache-purge can be started. Otherwise the suite is skipped with the reason
 * in its name, or fails if `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithCaches(name: string, suite: () => void): void {
  describeUnless(findMissing(), name, suite);
}

function findMissing(): string | null {
  const missing = whyMissing('varnishd', 'varnish') ?? whyMissing('nginx');
  if (missing !== null) return missing;
  if (!existsSync(NGINX_CACHE_PURGE)) installDebianPackage(MODULE_PACKAGE);
  return existsSync(NGINX_CACHE_PURGE)
    ? null
    : `nginx has no module cache-purge (apt-get install ${MODULE_PACKAGE})`;
}

/** Starts Debian's Varnish with this VCL on a port, with its state in a temporary folder and 64 MiB of memory. */
export async function startVarnish(vcl: string, port: number): Promise<GuardedServer> {
  const program = debianProgram('varnishd', 'varnish');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-varnish-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'files.vcl');
  await writeFile(file, vcl);
  const server = await startGuardedServer(
    program,
    [
      '-F',
      '-j',
      'none',
      '-p',
      // Longer than a busy client keeps a connection, so that none is closed while it sends its next request.
      'timeout_idle=60',
      '-n',
      join(folder, 'state'),
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      file,
      '-s',
      'malloc,64m',
    ],
    port,
  );
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
