import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service-process';
import { debianProgram, whyMissing } from '../programs/debian-program';
import { describeUnless } from '../programs/describe-unless';
import { type GuardedServer, startGuardedServer } from '../programs/guarded-server';

/**
 * `describe` if nginx can be started. Otherwise the suite is skipped with the reason in its name, or fails if `CI=true`,
 * so that CI can't lose these tests unnoticed.
 */
export function describeWithNginx(name: string, suite: () => void): void {
  describeUnless(whyMissing('nginx'), name, suite);
}

/**
 * Starts Debian's nginx with the content of an `http` block, in which `PORT` stands for its port and `FOLDER` for its
 * temporary folder, which is removed with it.
 */
export async function startNginx(http: string, modules: readonly string[] = []): Promise<GuardedServer> {
  const program = debianProgram('nginx');
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-nginx-'));
  await chmod(folder, 0o755);
  const configuration = join(folder, 'nginx.conf');
  await writeFile(configuration, configurationOf(folder, http, modules).replaceAll('PORT', String(port)));
  const server = await startGuardedServer(program, ['-p', folder, '-e', 'stderr', '-c', configuration], port);
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Debian's own settings for files, without logs, and with every path in the temporary folder. */
const configurationOf = (folder: string, http: string, modules: readonly string[]): string => `
${modules.map((module) => `load_module ${module};`).join('\n')}
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  types { image/jpeg jpg jpeg; video/mp4 mp4; }
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${http.replaceAll('FOLDER', folder)}
}
`;
