import { integer, oneOf, port, text } from './parsers';
import { type Consistency, Consistent, Setting } from './setting';

/** The settings of every process; the supervisor and the manifests give each process its own port. */
@Consistent<RuntimeConfig>({
  field: 'stopGraceSeconds',
  must: 'be less than STOP_TIMEOUT_SECONDS, which includes it',
  beside: 'STOP_TIMEOUT_SECONDS',
  holds: (config) => config.stopGraceSeconds < config.stopTimeoutSeconds,
})
export class RuntimeConfig {
  @Setting({
    env: 'MANAGEMENT_PORT',
    why: 'Port of /health/live, /health/ready and /metrics; npm start gives it and the next four to its processes.',
    parse: port,
    default: 9100,
    example: '9100',
  })
  managementPort!: number;

  @Setting({
    env: 'MANAGEMENT_HOST',
    why: 'Address that the management port listens on; loopback keeps it private.',
    parse: text,
    default: '127.0.0.1',
    example: '0.0.0.0',
  })
  managementHost!: string;

  @Setting({
    env: 'LOG_FORMAT',
    why: 'json: one JSON object per line, for machines. text: for people.',
    parse: oneOf('json', 'text'),
    default: 'json',
    example: 'json',
  })
  logFormat!: 'json' | 'text';

  @Setting({
    env: 'LOG_LEVEL',
    why: 'The least severe level that is logged.',
    parse: oneOf('debug', 'log', 'warn', 'error'),
    default: 'log',
    example: 'log',
  })
  logLevel!: 'debug' | 'log' | 'warn' | 'error';

  @Setting({
    env: 'STOP_TIMEOUT_SECONDS',
    why: 'Seconds that a stopping process may take to finish its work.',
    parse: integer(1, 3600),
    default: 25,
    example: '25',
  })
  stopTimeoutSeconds!: number;

  @Setting({
    env: 'STOP_GRACE_SECONDS',
    why: 'Seconds for which a stopping process still serves, already unready, until load balancers send no more requests.',
    parse: integer(0, 600),
    default: 0,
    example: '5',
  })
  stopGraceSeconds!: number;
}

/** The port of a public host must differ from the management port. */
export const apartFromManagement: Consistency<{ readonly port: number }> = {
  field: 'port',
  must: 'differ from MANAGEMENT_PORT',
  beside: 'MANAGEMENT_PORT',
  holds: ({ port }, read) => port !== read(RuntimeConfig).managementPort,
};
