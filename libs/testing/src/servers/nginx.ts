import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../service-process';
import { debianProgram } from '../programs/debian-program';
import { describeUnless } from '../programs/describe-unless';
import { type GuardedServer, startGuardedServer } from '../programs/guarded-server';

/**
 * `describe` if nginx can be started. Otherwise the suite is skipped with the reason in its name, or fails if `CI=true`,
 * so that CI can't lose these tests unnoticed.
 */
export function describeWithNginx(name: string, suite: () => void): void {
  let missing: string | null = null;
  try {
    debianProgram('nginx');
  } catch (error) {
    missing = (error as Error).message;
  }
  describeUnless(missing, name, suite);
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

/** What the configurations for operators name, and what it is here. */
export interface SendingSetup {
  /** URL of upload-service, which runs with `FILE_SENDING=x-accel`. */
  readonly upload: string;
  /** Folder of the objects, or the URL of the store with the bucket. */
  readonly objects: string;
}

const CONFIGURATIONS = resolve(__dirname, '../../../../docker/nginx');

/** Starts Debian's nginx with the configuration with which operators let it send files. */
export async function startSendingNginx(setup: SendingSetup): Promise<GuardedServer> {
  return startNginx(await readSendingConfiguration(setup));
}

async function readSendingConfiguration({ upload, objects }: SendingSetup): Promise<string> {
  const read = (name: string): Promise<string> => readFile(join(CONFIGURATIONS, name), 'utf8');
  const sending = objects.startsWith('/')
    ? (await read('objects-in-folder.conf')).replaceAll('/var/lib/vitrine/objects/', `${objects}/`)
    : await read('objects-in-bucket.conf');
  const bucket = objects.startsWith('/') ? '127.0.0.1:9000' : new URL(objects).host;
  return (await read('files.conf'))
    .replace('listen 8080', 'listen 127.0.0.1:PORT')
    .replace('server 127.0.0.1:3001', `server ${new URL(upload).host}`)
    .replaceAll('/var/cache/nginx/', 'FOLDER/')
    .replace('include /etc/nginx/vitrine/objects.conf;', sending)
    .replaceAll('127.0.0.1:9000', bucket);
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
