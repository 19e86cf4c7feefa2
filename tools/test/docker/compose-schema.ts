const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const duration = { type: 'string', pattern: '^(\\d+(h|m|s|ms))+$' };
const size = { type: 'string', pattern: '^\\d+[kmg]$' };

const closed = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const mapOf = (values: unknown) => ({ type: 'object', additionalProperties: values });

const healthcheck = closed(
  {
    test: { ...texts, contains: { enum: ['CMD', 'CMD-SHELL'] } },
    interval: duration,
    timeout: duration,
    start_period: duration,
    start_interval: duration,
    retries: { type: 'integer', minimum: 1 },
  },
  ['test', 'interval', 'timeout', 'retries'],
);

const service = closed(
  {
    image: text,
    build: closed({ context: text, dockerfile: text, target: text, args: mapOf(text) }, [
      'context',
      'dockerfile',
      'target',
    ]),
    profiles: texts,
    command: texts,
    entrypoint: texts,
    environment: mapOf({ type: 'string' }),
    env_file: { type: 'array', items: closed({ path: text, required: { type: 'boolean' } }, ['path']) },
    ports: {
      type: 'array',
      items: { type: 'string', pattern: '^(\\$\\{[^}]+\\}|127\\.0\\.0\\.1):\\d+:\\d+(/udp)?$' },
    },
    depends_on: mapOf(
      closed({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
    healthcheck,
    networks: texts,
    network_mode: { enum: ['none', 'service:nginx'] },
    volumes: {
      type: 'array',
      items: { type: 'string', pattern: '^(\\$\\{[^}]+\\}|(\\.{1,2}/)?[a-z][\\w./-]*):/[\\w./-]+(:ro)?$' },
    },
    tmpfs: { type: 'array', items: { type: 'string', pattern: '^/[\\w./-]+(:\\w+=\\w+(,\\w+=\\w+)*)?$' } },
    hostname: text,
    user: { type: 'string', pattern: '^\\d+:\\d+$' },
    restart: { enum: ['no', 'unless-stopped'] },
    read_only: { type: 'boolean' },
    cap_drop: texts,
    cap_add: texts,
    security_opt: texts,
    logging: closed({ driver: text, options: mapOf({ type: 'string' }) }, ['driver']),
    stop_grace_period: duration,
    shm_size: size,
    mem_limit: size,
    cpus: { type: 'number', exclusiveMinimum: 0 },
    pids_limit: { type: 'integer', minimum: 1 },
  },
  ['image', 'restart'],
);

/** JSON Schema of the parts of the Compose Specification that docker/compose.yaml uses; it refuses all others. */
export const composeSchema = {
  type: 'object',
  properties: {
    name: text,
    services: mapOf(service),
    networks: mapOf(closed({ internal: { type: 'boolean' } })),
    volumes: mapOf(closed({})),
  },
  // Fragments for anchors.
  patternProperties: { '^x-[a-z-]+$': { type: 'object' } },
  required: ['name', 'services', 'networks', 'volumes'],
  additionalProperties: false,
};
