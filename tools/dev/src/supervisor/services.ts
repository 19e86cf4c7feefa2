import { join } from 'node:path';
import type { Secrets } from '../data-folder/secrets';
import type { PortClaim } from './ports';
import type { ServiceProgram } from './service-process';
import type { DatabaseAddresses } from './stack-database';
import type { SupervisorConfig } from './supervisor.config';

interface ServiceDescription {
  readonly name: string;
  /** The compiled module, relative to `dist`, that imports everything the process uses. */
  readonly rootModule: string;
  /** Settings with credentials or addresses that this process must not have. */
  readonly withheld: readonly string[];
  readonly port?: { readonly setting: string; readonly value: (config: SupervisorConfig) => number };
  readonly servesKey?: boolean;
  /** Large bodies pass through it. */
  readonly streams?: boolean;
}

/**
 * Memory settings of a process that handles large bodies. The buffers lie outside V8's heap and are freed by a
 * collection of the young generation, which happens often if that is small; glibc then returns their pages, as long
 * as its thresholds are fixed. A 95 MB upload takes 10 to 25 MB with these settings, and 50 to 80 MB without.
 */
export const STREAMING_ENVIRONMENT = {
  NODE_OPTIONS: '--max-semi-space-size=2',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/**
 * Memory settings of all processes. While a process starts, V8 would let the young generation grow to 48 MB; with 12 MB,
 * collections take as large a part of the processor time under load. With glibc's default of eight arenas per core,
 * hundreds of megabytes of decoded pictures stay allocated.
 */
const MEMORY_ENVIRONMENT = { NODE_OPTIONS: '--max-semi-space-size=4', MALLOC_ARENA_MAX: '2' } as const;

/** Other addresses of the database, and what pg reads, such as PGPASSWORD: only for processes that may use the database. */
const DATABASE_CLIENT = /^(?:PG[A-Z]+|DATABASE_\w+_URLS?)$/;

/** The address of the storage and its credentials. */
export const STORAGE_SETTINGS: readonly string[] = [
  'STORAGE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
];

/** In the order of their management ports. */
const SERVICES: readonly ServiceDescription[] = [
  {
    name: 'api-gateway',
    rootModule: 'api-gateway.module.js',
    withheld: STORAGE_SETTINGS,
    port: { setting: 'API_PORT', value: (config) => config.apiPort },
    servesKey: true,
  },
  {
    name: 'upload-service',
    rootModule: 'upload-service.module.js',
    withheld: ['SMTP_URL'],
    port: { setting: 'UPLOAD_PORT', value: (config) => config.uploadPort },
    servesKey: true,
    streams: true,
  },
  {
    name: 'media-processor',
    rootModule: 'media-processor.module.js',
    withheld: ['DATABASE_URL', 'SITE_SERVICE_KEY', 'REDIS_URL', 'SMTP_URL'],
  },
  {
    name: 'moderation-service',
    rootModule: 'moderation-service.module.js',
    withheld: ['SITE_SERVICE_KEY', 'REDIS_URL', 'SMTP_URL'],
  },
  {
    name: 'website',
    rootModule: 'app/site.js',
    withheld: ['DATABASE_URL', 'BUS_URL', 'REDIS_URL', 'SMTP_URL', ...STORAGE_SETTINGS],
    port: { setting: 'SITE_PORT', value: (config) => config.sitePort },
    servesKey: true,
  },
];

export const SERVICE_NAMES = SERVICES.map(({ name }) => name);

export interface StackContext {
  /** The workspace's root. */
  readonly root: string;
  /** Absolute. */
  readonly dataFolder: string;
  readonly config: SupervisorConfig;
  readonly secrets: Secrets;
  /** Whether the machine has the programs that media-processor needs for videos. */
  readonly decodesVideos: boolean;
  /** The supervisor's own environment. */
  readonly environment: NodeJS.ProcessEnv;
}

/** All ports that the five processes will listen on. */
export function portClaims(config: SupervisorConfig): PortClaim[] {
  return SERVICES.flatMap(({ name, port }, index) => [
    ...(port ? [{ process: name, setting: port.setting, port: port.value(config) }] : []),
    {
      process: `${name}'s health and metrics`,
      setting: 'MANAGEMENT_PORT',
      port: config.managementPort + index,
      host: config.managementHost,
    },
  ]);
}

/** The URL of a process's readiness check. */
export function readinessUrl(config: SupervisorConfig, name: string): string {
  const anywhere = ['0.0.0.0', '::'].includes(config.managementHost);
  const host = anywhere ? '127.0.0.1' : config.managementHost;
  const port = config.managementPort + SERVICE_NAMES.indexOf(name);
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/health/ready`;
}

/** The five programs, each with only the settings that it needs. */
export function servicePrograms(context: StackContext): ServiceProgram[] {
  return SERVICES.map((service, index) => ({
    name: service.name,
    main: join(context.root, 'apps', service.name, 'dist', 'main.js'),
    rootModule: join(context.root, 'apps', service.name, 'dist', service.rootModule),
    openEnvironment: openEnvironment(environmentOf(service, index, context)),
    settings: (addresses) => environmentOf(service, index, context, addresses),
  }));
}

/** The settings of a process. Without `addresses`, those of the database are missing. */
function environmentOf(
  service: ServiceDescription,
  index: number,
  context: StackContext,
  addresses?: DatabaseAddresses,
): NodeJS.ProcessEnv {
  const { config, dataFolder, secrets, environment } = context;
  const complete: NodeJS.ProcessEnv = {
    LOG_FORMAT: 'text',
    ...(service.name === 'api-gateway' ? { SMTP_URL: 'log:' } : {}),
    ...MEMORY_ENVIRONMENT,
    ...(service.streams ? STREAMING_ENVIRONMENT : {}),
    ...(service.name === 'api-gateway' ? { ACCOUNT_SECRETS_KEY: secrets.accountSecretsKey } : {}),
    ...environment,
    ...(service.name === 'upload-service' && !context.decodesVideos ? { VIDEO_TOOLS: 'none' } : {}),
    VITRINE_DATA_DIR: dataFolder,
    DATABASE_URL: addresses?.databaseUrl,
    MANAGEMENT_PORT: String(config.managementPort + index),
    ...(service.servesKey ? { SITE_SERVICE_KEY: config.siteServiceKey || secrets.siteServiceKey } : {}),
    // The others find the bus in their database.
    ...(service.name === 'media-processor' && !config.busUrl
      ? { BUS_URL: environment['DATABASE_LISTEN_URL'] || addresses?.busOnlyUrl }
      : {}),
  };
  const entries = Object.entries(complete).filter(([name]) => !isWithheld(service, name));
  return Object.fromEntries(entries);
}

/**
 * Variables that a process needs before its first line of JavaScript, and those for operators that third-party modules read
 * when they are loaded. It gets all others on stdin, so that other users can't see them.
 */
const NEEDED_EARLY =
  /^(PATH|HOME|USER|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_\w+|MALLOC_\w+|GLIBC_TUNABLES|LD_\w+|UV_\w+|SSL_CERT_\w+|OPENSSL_\w+|SYSTEMROOT|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|DEBUG|DEBUG_\w+|NAPI_RS_\w+|NO_DEPRECATION|TRACE_DEPRECATION)$/i;

const openEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED_EARLY.test(name)));

function isWithheld({ name: service, withheld }: ServiceDescription, name: string): boolean {
  if (name === 'ACCOUNT_SECRETS_KEY') return service !== 'api-gateway';
  return withheld.includes(name) || (withheld.includes('DATABASE_URL') && DATABASE_CLIENT.test(name));
}
