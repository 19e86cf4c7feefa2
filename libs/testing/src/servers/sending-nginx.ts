import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { debianProgram } from '../programs/debian-program';
import { type GuardedServer, startGuardedServer } from '../programs/guarded-server';
import { freePort } from '../service-process';

/** What the environment of the containers names, and what it is here. */
export interface SendingSetup {
  /** URL of upload-service, which runs with `FILE_SENDING=x-accel`. */
  readonly upload: string;
  /** Folder of the objects, or the URL of the store with the bucket. */
  readonly objects: string;
  /** Networks of the proxies in front of nginx, as in TRUSTED_PROXIES. */
  readonly trustedProxies?: string;
  /** Certificates of the authorities that nginx trusts, in PEM, instead of the system's. */
  readonly authorities?: string;
  /** The port of the process that counts requests. Without one, nothing is logged. */
  readonly logPort?: number;
  /** Requests of one client at the same time, instead of the number in the configuration. */
  readonly perClient?: number;
}

/** An nginx that sends files. */
export interface SendingNginx extends GuardedServer {
  /** Where it says whether it is alive. */
  readonly healthUrl: string;
}

const CONFIGURATIONS = resolve(__dirname, '../../../../docker/nginx');

/**
 * Starts Debian's nginx with the files that the containers of Compose and Kubernetes mount, after the same preparation as
 * in the image's entrypoint. Only ports and folders are replaced.
 */
export async function startSendingNginx(setup: SendingSetup): Promise<SendingNginx> {
  const program = debianProgram('nginx');
  const [port, healthPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-nginx-'));
  await chmod(folder, 0o755);
  for (const name of ['conf.d', 'vitrine', 'tmp', 'cache']) await mkdir(join(folder, name));
  const isFolder = setup.objects.startsWith('/');
  // All at once: the new paths may contain the old ones.
  const places: Readonly<Record<string, string>> = {
    '/etc/nginx/': `${folder}/`,
    '/var/cache/nginx/': `${folder}/cache/`,
    '/tmp/': `${folder}/tmp/`,
    '/var/lib/vitrine/objects/': `${setup.objects}/`,
  };
  const local = (text: string): string =>
    text
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('listen 8081', `listen 127.0.0.1:${healthPort}`)
      .replace(/access_log syslog:server=127\.0\.0\.1:5140.*;/, (line) =>
        setup.logPort === undefined ? 'access_log off;' : line.replace('5140', `${setup.logPort}`),
      )
      .replace('limit_conn vitrine_clients 250', `limit_conn vitrine_clients ${setup.perClient ?? 250}`)
      .replace(
        /\/etc\/nginx\/|\/var\/cache\/nginx\/|\/tmp\/|\/var\/lib\/vitrine\/objects\//g,
        (path) => places[path]!,
      );
  const place = async (name: string, target: string): Promise<void> => {
    const text = local(await readFile(join(CONFIGURATIONS, name), 'utf8'));
    const trusted = join(folder, 'authorities.pem');
    await writeFile(
      join(folder, target),
      setup.authorities === undefined ? text : text.replace('/etc/ssl/certs/ca-certificates.crt', trusted),
    );
  };
  await writeFile(join(folder, 'authorities.pem'), setup.authorities ?? '');
  await place('nginx.conf', 'nginx.conf');
  await place('files.conf', 'vitrine/files.conf');
  await place(isFolder ? 'objects-in-folder.conf' : 'objects-in-bucket.conf', 'vitrine/objects.conf');
  const bucket = new URL(isFolder ? 'http://127.0.0.1:9' : setup.objects);
  await fillIn('addresses.conf.template', join(folder, 'conf.d/addresses.conf'), {
    NGINX_LOCAL_RESOLVERS: '127.0.0.1',
    UPLOAD_SERVER: new URL(setup.upload).host,
    BUCKET_SERVER: bucket.host,
    BUCKET_SCHEME: bucket.protocol.slice(0, -1),
    BUCKET_HOST: bucket.host,
    TRUSTED_PROXIES: setup.trustedProxies ?? '',
  });
  const isRoot = process.getuid?.() === 0;
  const globals = `daemon off;${isRoot ? ' user root;' : ''}`;
  const parts = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', globals];
  const server = await startGuardedServer(program, parts, port);
  return {
    url: server.url,
    healthUrl: `http://127.0.0.1:${healthPort}/health`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Does what the image's entrypoint does: reads our `.envsh`, and replaces the variables of the environment in a template. */
async function fillIn(
  template: string,
  target: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const script = [
    `. ${join(CONFIGURATIONS, 'trusted-proxies.envsh')}`,
    `names=$(awk 'END { for (name in ENVIRON) printf "\${%s} ", name }' </dev/null)`,
    `${debianProgram('envsubst', 'gettext-base')} "$names" <${join(CONFIGURATIONS, template)} >${target}`,
  ];
  await promisify(execFile)('sh', ['-euc', script.join('\n')], {
    env: { PATH: process.env['PATH'], ...env },
  });
}
