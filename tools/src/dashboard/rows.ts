import type { Panel, Query, Row, Unit } from './panels';

const graph = (
  title: string,
  unit: Unit,
  about: string,
  ...queries: readonly (readonly [expr: string, legend: string])[]
): Panel => ({ title, unit, about, queries: queries.map(([expr, legend]): Query => ({ expr, legend })) });

/** One number at the top; more than it should be is red. */
const figure = (title: string, unit: Unit, redFrom: number, about: string, expr: string): Panel => ({
  ...graph(title, unit, about, [expr, title]),
  redFrom,
});

const stacked = (panel: Panel): Panel => ({ ...panel, stacked: true });

const quantile = (share: number, metric: string, by: string, matchers = ''): string =>
  `histogram_quantile(${share}, sum by (le${by ? `, ${by}` : ''}) (rate(${metric}_bucket${matchers}[$__rate_interval])))`;

const rate = (metric: string, by: string, matchers = ''): string =>
  `sum${by ? ` by (${by})` : ''} (rate(${metric}${matchers}[$__rate_interval]))`;

const JOB = '{job=~"$job"}';

/** The dashboard, from what visitors feel down to what processes take. */
export const ROWS: readonly Row[] = [
  {
    title: 'At a glance',
    panels: [
      figure(
        'Processes that do not answer',
        'none',
        1,
        'Targets that Prometheus cannot read. Any but zero: look at the pod or container.',
        'sum(1 - up{job=~"api-gateway|upload-service|media-processor|moderation-service|website"})',
      ),
      figure(
        'Failing requests',
        'percentunit',
        0.01,
        'Share of all answers that are a 5xx. The objective is one in a thousand over a month.',
        '(sum(rate(vitrine_http_request_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(vitrine_http_request_seconds_count[5m]))',
      ),
      figure(
        'Oldest unprocessed media',
        's',
        300,
        'The longest wait for the variants of a file, except of uploaders whose files exceeded their time.',
        'max(vitrine_media_waiting_oldest_seconds{line!="behind"})',
      ),
      figure(
        'Oldest event in an outbox',
        's',
        60,
        'Grows while the bus is away, and falls as soon as it is back.',
        'max(vitrine_outbox_oldest_seconds)',
      ),
      figure(
        'Dead letters',
        'none',
        1,
        'Messages that failed five times. They stay until somebody replays them.',
        'sum(max by (queue) (vitrine_bus_queue_messages{state="dead"}))',
      ),
      figure(
        'Requests turned away',
        'reqps',
        1,
        'Overload: answered with 503 and Retry-After before any work was done.',
        'sum(rate(vitrine_http_shed_total[5m]))',
      ),
    ],
  },
  {
    title: 'Requests',
    panels: [
      graph('Requests by service', 'reqps', 'Answers a second, whatever their status.', [
        rate('vitrine_http_request_seconds_count', 'job', JOB),
        '{{job}}',
      ]),
      graph(
        'Failures by service and status',
        'reqps',
        '5xx answers. 503 alone: overload, or an engine that is away. 500: a bug; the log line has the request id.',
        [
          rate('vitrine_http_request_seconds_count', 'job, status', '{job=~"$job",status=~"5.."}'),
          '{{job}} {{status}}',
        ],
      ),
      graph(
        'Time to answer',
        's',
        'Median and 95th percentile of a service. Long uploads count in full.',
        [quantile(0.5, 'vitrine_http_request_seconds', 'job', JOB), '{{job}} p50'],
        [quantile(0.95, 'vitrine_http_request_seconds', 'job', JOB), '{{job}} p95'],
      ),
      graph('Busiest routes', 'reqps', 'The ten routes with the most requests.', [
        `topk(10, ${rate('vitrine_http_request_seconds_count', 'job, method, route', JOB)})`,
        '{{job}} {{method}} {{route}}',
      ]),
      graph('Slowest routes', 's', '95th percentile, the ten worst.', [
        `topk(10, ${quantile(0.95, 'vitrine_http_request_seconds', 'job, method, route', JOB)})`,
        '{{job}} {{method}} {{route}}',
      ]),
      graph('Refusals by status', 'reqps', '4xx answers. Many 401 or 429 at once: somebody tries doors.', [
        rate('vitrine_http_request_seconds_count', 'status', '{job=~"$job",status=~"4.."}'),
        '{{status}}',
      ]),
    ],
  },
  {
    title: 'Uploads and processing',
    panels: [
      graph(
        'Uploads by outcome',
        'ops',
        'Accepted, and why the others were not. Failed ones are ours, aborted ones the clients’.',
        [rate('vitrine_uploads_total', 'outcome'), '{{outcome}}'],
      ),
      graph('Bytes taken in', 'Bps', 'Of accepted files.', [rate('vitrine_upload_bytes_total', ''), 'bytes']),
      graph(
        'Media that wait',
        'none',
        'Media that wait for their variants, by line. The figure follows the uploads; if it only rises, more processors are needed.',
        ['max by (line) (vitrine_media_waiting)', '{{line}}'],
      ),
      graph('Files processed', 'ops', 'By kind and outcome.', [
        rate('vitrine_media_jobs_total', 'kind, outcome'),
        '{{kind}} {{outcome}}',
      ]),
      graph('Time to process a file', 's', '95th percentile by kind.', [
        quantile(0.95, 'vitrine_media_job_seconds', 'kind'),
        '{{kind}}',
      ]),
      graph('Busy workers', 'short', 'Files being decoded now, by lane.', [
        'sum by (lane) (vitrine_media_busy_workers)',
        '{{lane}}',
      ]),
      graph(
        'Decoders that died',
        'ops',
        'A hostile file now and then is normal: its worker dies, the process goes on.',
        [rate('vitrine_media_worker_crashes_total', 'job'), 'processor'],
        [rate('vitrine_classifier_worker_deaths_total', 'job'), 'classifier'],
      ),
    ],
  },
  {
    title: 'Bus',
    panels: [
      graph(
        'Messages that wait, by queue',
        'none',
        'Every service reads its own queues; the processor’s scales by this figure.',
        ['max by (queue) (vitrine_bus_queue_messages{state="waiting"})', '{{queue}}'],
      ),
      graph(
        'Dead letters by queue',
        'none',
        'See the runbook of VitrineDeadLetters for how to look at them and replay them.',
        ['max by (queue) (vitrine_bus_queue_messages{state="dead"})', '{{queue}}'],
      ),
      graph(
        'Endings by queue',
        'ops',
        'Acknowledged is good; retried and dead are not; lost means that the connection went.',
        [rate('vitrine_bus_settled_total', 'queue, ending'), '{{queue}} {{ending}}'],
      ),
      graph('Time to handle a message', 's', '95th percentile by queue, from delivery to settlement.', [
        quantile(0.95, 'vitrine_bus_handling_seconds', 'queue'),
        '{{queue}}',
      ]),
      graph(
        'Published by outcome',
        'ops',
        'With the broker’s confirmation, or not. Failed ones stay in the outbox.',
        [rate('vitrine_bus_published_total', 'outcome'), '{{outcome}}'],
      ),
      graph(
        'Outbox',
        'none',
        'Rows that are not published yet.',
        ['max(vitrine_outbox_rows)', 'rows'],
        ['min(vitrine_bus_up)', 'bus in reach of all'],
      ),
    ],
  },
  {
    title: 'Database',
    panels: [
      graph(
        'Connections by state',
        'none',
        'Of all pools of a service. Waiting: a request that wants a connection and gets none.',
        [
          'sum by (job, pool, state) (vitrine_database_pool_connections{job=~"$job"})',
          '{{job}} {{pool}} {{state}}',
        ],
      ),
      graph(
        'Replica lag',
        's',
        'Above DATABASE_REPLICA_MAX_LAG_SECONDS the replica is left alone and the primary asked.',
        ['max by (replica) (vitrine_database_replica_lag_seconds)', 'replica {{replica}}'],
      ),
      graph('Replicas in use', 'none', 'Processes that read from this replica.', [
        'sum by (replica) (vitrine_database_replica_in_use)',
        'replica {{replica}}',
      ]),
      graph('Feed counts behind', 's', 'Age of the oldest change that the feeds’ totals do not show yet.', [
        'max(vitrine_feed_deltas_oldest_seconds)',
        'oldest',
      ]),
    ],
  },
  {
    title: 'Storage',
    panels: [
      graph('Operations', 'ops', 'By operation and outcome. Absent is an answer; failed is not.', [
        rate('vitrine_storage_operation_seconds_count', 'operation, outcome', JOB),
        '{{operation}} {{outcome}}',
      ]),
      graph('Time of an operation', 's', '95th percentile.', [
        quantile(0.95, 'vitrine_storage_operation_seconds', 'operation', JOB),
        '{{operation}}',
      ]),
      graph(
        'Swept',
        'ops',
        'What the sweepers found to do: orphans removed, waiting media announced again.',
        [rate('vitrine_swept_total', 'sweep, action'), '{{sweep}} {{action}}'],
      ),
    ],
  },
  {
    title: 'Limits and overload',
    panels: [
      graph('Requests under way', 'none', 'At this moment, by service.', [
        'sum by (job) (vitrine_http_requests_in_flight{job=~"$job"})',
        '{{job}}',
      ]),
      graph('Turned away', 'reqps', 'More than MAX_CONCURRENT_REQUESTS at a time.', [
        rate('vitrine_http_shed_total', 'job'),
        '{{job}}',
      ]),
      graph(
        'Rate limits',
        'reqps',
        'Requests over their limit, and requests that a process had to count alone because Redis was away.',
        [rate('vitrine_http_request_seconds_count', 'job', '{status="429"}'), '{{job}} over the limit'],
        [rate('vitrine_rate_limit_counted_alone_total', 'job'), '{{job}} counted alone'],
      ),
    ],
  },
  {
    title: 'People and decisions',
    panels: [
      graph(
        'Accounts and logins',
        'ops',
        'Refused logins in numbers: somebody guesses passwords, and is slowed.',
        [rate('vitrine_accounts_registered_total', ''), 'registered'],
        [rate('vitrine_logins_total', 'outcome'), 'login {{outcome}}'],
      ),
      stacked(
        graph('Decisions', 'ops', 'Of automation and moderators, by the status that they gave.', [
          rate('vitrine_moderation_decisions_total', 'status'),
          '{{status}}',
        ]),
      ),
      graph('Time to classify a picture', 's', '95th percentile.', [
        quantile(0.95, 'vitrine_classifier_seconds', ''),
        'p95',
      ]),
    ],
  },
  {
    title: 'Processes',
    panels: [
      graph(
        'Resident memory',
        'bytes',
        'Each process by itself. The processor’s children come on top of it.',
        ['process_resident_memory_bytes{job=~"$job"}', '{{job}} {{pod}}'],
      ),
      graph('Processor time', 'percentunit', 'In cores. At the limit of its container a process is slowed.', [
        'rate(process_cpu_seconds_total{job=~"$job"}[$__rate_interval])',
        '{{job}} {{pod}}',
      ]),
      graph(
        'Event loop lag',
        's',
        '99th percentile. Above a tenth of a second requests wait for each other.',
        ['nodejs_eventloop_lag_p99_seconds{job=~"$job"}', '{{job}} {{pod}}'],
      ),
      graph('Open files', 'none', 'Descriptors, connections among them. What only rises is a leak.', [
        'process_open_fds{job=~"$job"}',
        '{{job}} {{pod}}',
      ]),
      graph('Versions', 'none', 'Processes of each version: two of them only while an update rolls.', [
        'sum by (service, version) (vitrine_build_info)',
        '{{service}} {{version}}',
      ]),
    ],
  },
];
