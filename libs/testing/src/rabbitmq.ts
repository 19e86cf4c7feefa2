import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { installDebianPackage } from './programs/debian-package';
import { describeUnless } from './programs/describe-unless';
import { freePort } from './service-process';
import { PATIENCE_MS } from './waiting/eventually';

/** A private RabbitMQ for tests. It ends with the process that started it, even after `kill -9`. */
export interface TestRabbitMq {
  readonly url: string;
  /** Stops it cleanly and keeps its data. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL and keeps its data. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`. */
  start(): Promise<void>;
  /** Runs `rabbitmqctl` on it and returns the output. Throws with the output if the command fails. */
  control(...args: readonly string[]): Promise<string>;
  /** Ends it permanently and removes its folder. */
  remove(): Promise<void>;
}

export interface RabbitMqOptions {
  /** Lines of `rabbitmq.conf`, such as `vm_memory_high_watermark.relative = 0.2`. */
  readonly config?: string;
}

const LIBRARY = '/usr/lib/rabbitmq/lib';

/**
 * The server script of Debian's package, which any user may run, unlike the one on the PATH. If the package is missing and
 * we are root, it is installed; its system service is not started.
 */
function serverScript(): string | undefined {
  if (!existsSync(LIBRARY)) installDebianPackage('rabbitmq-server');
  if (!existsSync(LIBRARY)) return undefined;
  return readdirSync(LIBRARY)
    .map((version) => join(LIBRARY, version, 'sbin', 'rabbitmq-server'))
    .find((script) => existsSync(script));
}

/**
 * `describe` if a RabbitMQ can be started. Otherwise the suite is skipped with the reason in its name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithRabbitMq(name: string, suite: () => void): void {
  const missing = 'RabbitMQ is not installed (apt-get install rabbitmq-server)';
  describeUnless(serverScript() ? null : missing, name, suite);
}

/** Starts a private RabbitMQ; takes about 4 s. */
export async function startRabbitMq({ config }: RabbitMqOptions = {}): Promise<TestRabbitMq> {
  const script = serverScript();
  if (!script) throw new Error('RabbitMQ is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-rabbitmq-'));
  const [nodePort, distPort, epmdPort] = [await freePort(), await freePort(), await freePort()];
  const plugins = join(folder, 'enabled_plugins');
  await mkdir(join(folder, 'home'));
  await writeFile(plugins, '[].');
  if (config) await writeFile(join(folder, 'rabbitmq.conf'), `${config}\n`);
  const env = {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    // The script then becomes the server instead of staying as its parent, which a SIGKILL would orphan.
    RUNNING_UNDER_SYSTEMD: 'true',
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `vitrine-${nodePort}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(nodePort),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
  };
  const url = `amqp://guest:guest@127.0.0.1:${nodePort}`;
  let guard: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    guard = guardedServer(script, folder, env);
    await answering(url, guard, join(folder, 'log'));
  };
  const end = async (signal: 'TERM' | 'KILL'): Promise<void> => {
    const ending = guard;
    guard = undefined;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.stdin?.end(`${signal}\n`);
    await ended;
  };
  const remove = async (): Promise<void> => {
    await end('KILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  const control = async (...args: readonly string[]): Promise<string> => {
    const program = join(dirname(script), 'rabbitmqctl');
    const { stdout } = await promisify(execFile)(program, ['-n', env.RABBITMQ_NODENAME, ...args], { env });
    return stdout;
  };
  return { url, start, stop: () => end('TERM'), kill: () => end('KILL'), control, remove };
}

/** A shell that runs the server and its port mapper. It ends both on request, and removes everything when its owner dies. */
function guardedServer(script: string, folder: string, env: NodeJS.ProcessEnv): ChildProcess {
  const guard = `
    epmd -port "$ERL_EPMD_PORT" >/dev/null 2>&1 & mapper=$!
    "$0" >/dev/null 2>&1 & server=$!
    read -r how || abandoned=yes how=KILL
    kill -"$how" "$server" 2>/dev/null
    wait "$server"
    kill -KILL "$mapper" 2>/dev/null
    wait "$mapper"
    if [ -n "$abandoned" ]; then rm -rf "$1"; fi`;
  return spawn('sh', ['-c', guard, script, folder], {
    env,
    // A server that ends during its start writes a crash dump into its working directory.
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

async function answering(url: string, guard: ChildProcess, logs: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && guard.exitCode === null) {
    try {
      const connection = await connect(url, { timeout: 2_000 });
      await connection.close();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`RabbitMQ did not start:\n${await tailOf(logs)}`);
}

async function tailOf(logs: string): Promise<string> {
  try {
    const texts = await Promise.all(readdirSync(logs).map((file) => readFile(join(logs, file), 'utf8')));
    return texts.join('\n').slice(-2_000);
  } catch {
    return '(no log)';
  }
}
