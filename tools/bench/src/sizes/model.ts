/** What a site does at its peak, each second. */
export interface Load {
  readonly name: string;
  /** Requests to the API; half of them come from the website, and half of them ask for lists. */
  readonly reads: number;
  /** Half small pictures, half photographs. */
  readonly uploads: number;
  /** Votes, comments and follows. */
  readonly writes: number;
}

/** What computes; `primary` is PostgreSQL without what replicas answer, `replica` is that part. */
export const PARTS = [
  'api-gateway',
  'upload-service',
  'media-processor',
  'moderation-service',
  'website',
  'primary',
  'replica',
] as const;
export type Part = (typeof PARTS)[number];

/**
 * Milliseconds of one core for each operation, on the cores of docs/benchmarks.md: uploads from `bench:cost` (the mean of a
 * small picture and a photograph), writes and lists from `bench:writes` and `bench:feeds`, single items from `bench:reads`. A
 * read also causes one request to the file host, which a CDN did not answer (`bench:files`).
 */
const COSTS: Readonly<Record<'reads' | 'uploads' | 'writes', Partial<Record<Part, number>>>> = {
  reads: { 'api-gateway': 0.9, website: 1, 'upload-service': 0.3, primary: 0.05, replica: 0.25 },
  uploads: { 'upload-service': 22, 'media-processor': 115, 'moderation-service': 25, primary: 16 },
  writes: { 'api-gateway': 3, primary: 3, 'upload-service': 0.5 },
};

/** Pods have one core, those of media-processor two, and are busy for this share of the time at the peak. */
const BUSY = 0.6;
const CORES: Partial<Record<Part, number>> = { 'media-processor': 2 };
/** Two of each, so that one may fail. */
const LEAST_PODS = 2;
/** PostgreSQL needs more reserve: for backups, autovacuum and the wait for disks. */
const DATABASE_BUSY = 0.5;
const LEAST_CORES = 2;
/** A primary with at most this number of cores answers all reads itself. */
const CORES_WITHOUT_REPLICAS = 4;
/** Memory caches the newest weeks: gigabytes for each core. */
const GIGABYTES_PER_CORE = 4;
/** The default of `DATABASE_POOL_SIZE`. */
const POOL_SIZE = 6;

/** Bytes that an upload adds to the storage, with its variants: half 50 KiB, half 4 MB. The peak is three times the mean. */
const BYTES_PER_UPLOAD = 3_000_000;
const PEAK = 3;
const SECONDS_PER_MONTH = 30 * 86_400;

/** The cores that a load keeps busy in each part. */
export function coresOf({ reads, uploads, writes }: Load): Readonly<Record<Part, number>> {
  const amounts = { reads, uploads, writes };
  const busy = (part: Part): number =>
    (Object.keys(amounts) as (keyof typeof amounts)[]).reduce(
      (sum, kind) => sum + (amounts[kind] * (COSTS[kind][part] ?? 0)) / 1000,
      0,
    );
  return Object.fromEntries(PARTS.map((part) => [part, busy(part)])) as Record<Part, number>;
}

/** What a load needs. */
export interface Size {
  readonly pods: Readonly<Record<Exclude<Part, 'primary' | 'replica'>, number>>;
  /** Cores and gigabytes of the primary, and of each replica for reads. */
  readonly database: { readonly cores: number; readonly gigabytes: number; readonly replicas: number };
  /** Connections to the primary in the middle of a rollout, without a pooler (docs/guides/connections.md). */
  readonly connections: number;
  /** Terabytes that a month adds to the storage. */
  readonly terabytes: number;
}

export function sizeOf(load: Load): Size {
  const cores = coresOf(load);
  const pods = (part: Part): number =>
    Math.max(LEAST_PODS, Math.ceil(cores[part] / BUSY / (CORES[part] ?? 1)));
  const api = pods('api-gateway');
  const [upload, moderation] = [pods('upload-service'), pods('moderation-service')];
  const inRollout = (count: number): number => Math.ceil(count * 1.25);
  const needed = (busy: number): number => Math.max(LEAST_CORES, Math.ceil(busy / DATABASE_BUSY));
  const alone = needed(cores.primary + cores.replica);
  const isAlone = alone <= CORES_WITHOUT_REPLICAS;
  const primary = isAlone ? alone : needed(cores.primary);
  return {
    pods: {
      'api-gateway': api,
      'upload-service': upload,
      'media-processor': pods('media-processor'),
      'moderation-service': moderation,
      website: pods('website'),
    },
    database: {
      cores: primary,
      gigabytes: primary * GIGABYTES_PER_CORE,
      replicas: isAlone ? 0 : Math.ceil(cores.replica / DATABASE_BUSY / primary),
    },
    connections:
      (inRollout(api) + inRollout(upload) + inRollout(moderation)) * (POOL_SIZE + 1) + 2 + POOL_SIZE,
    terabytes: (load.uploads * BYTES_PER_UPLOAD * SECONDS_PER_MONTH) / PEAK / 1e12,
  };
}

/** What ends, however many pods there are, with the load at which it ends, as a multiple of `load`. */
export interface Ceiling {
  readonly what: string;
  readonly multiple: number;
}

/** The largest machine that one would rent for the primary. */
const LARGEST_PRIMARY_CORES = 64;
/** The share of all writes that the busiest post gets, and what its row takes a second: 50 votes for each commit of 10 ms. */
const BUSIEST_SHARE = 0.1;
const ROW_WRITES = 5_000;
/** Messages a second of the busiest quorum queue; each upload is one message in it. */
const QUEUE_MESSAGES = 2_000;
/** Commands a second of one Redis; a request takes two. */
const REDIS_COMMANDS = 100_000;

/** The limits of a site that has enough pods and replicas and a pooler, the nearest first. */
export function ceilingsOf(load: Load): readonly Ceiling[] {
  const ceilings = [
    {
      what: `the processors of the primary (${LARGEST_PRIMARY_CORES} cores)`,
      multiple: (LARGEST_PRIMARY_CORES * DATABASE_BUSY) / coresOf(load).primary,
    },
    {
      what: `one row: the busiest post, with ${BUSIEST_SHARE * 100} % of the writes`,
      multiple: ROW_WRITES / (load.writes * BUSIEST_SHARE),
    },
    { what: 'one quorum queue of RabbitMQ', multiple: QUEUE_MESSAGES / load.uploads },
    {
      what: 'the counters of the limits in one Redis',
      multiple: REDIS_COMMANDS / (2 * (load.reads + load.writes + load.uploads)),
    },
  ];
  return ceilings.toSorted((a, b) => a.multiple - b.multiple);
}
