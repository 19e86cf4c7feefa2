import { statfs } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { scrapedGauge, withCorrelation } from '@vitrine/runtime';
import { Counter, Histogram, Registry } from 'prom-client';

const CACHE = '/var/cache/nginx';
/** More failures in one second are only counted. */
const LINES_A_SECOND = 10;
/** Answers of a bucket that are no errors: nginx hides a missing object, and a range may be wrong. */
const FINE = /^(?:2..|304|404|416)$/;

/**
 * Counts what nginx sends, from its log: docker/nginx/nginx.conf sends a line for each request to this process, which runs
 * beside it. Logs failures with the request's id, which upload-service has in its log, too.
 */
@Injectable()
export class NginxLog implements OnApplicationShutdown {
  private readonly logger = new Logger('Nginx');
  private readonly socket = createSocket('udp4');
  private readonly requests: Counter<'status' | 'source'>;
  private readonly sentBytes: Counter;
  private readonly bucketErrors: Counter<'status'>;
  private readonly bucketSeconds: Histogram;
  private second = 0;
  private lines = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'vitrine_nginx_requests_total',
      help: 'Requests to nginx, by status and by where the answer came from: upload-service, the bucket, the cache of files, or nginx itself.',
      labelNames: ['status', 'source'],
      registers,
    });
    this.sentBytes = new Counter({
      name: 'vitrine_nginx_sent_bytes_total',
      help: 'Bytes that nginx sent.',
      registers,
    });
    this.bucketErrors = new Counter({
      name: 'vitrine_nginx_bucket_errors_total',
      help: 'Reads of files for which the bucket gave an error or no answer, by its status; 502 and 504 are also given by nginx.',
      labelNames: ['status'],
      registers,
    });
    this.bucketSeconds = new Histogram({
      name: 'vitrine_nginx_bucket_seconds',
      help: 'Seconds until the bucket began its answer.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    });
    scrapedGauge({
      name: 'vitrine_nginx_cache_free_ratio',
      help: "Free part of the disk with nginx's cache of files.",
      labelNames: [],
      registry,
      read: async () => {
        const { bavail, blocks } = await statfs(CACHE);
        return [{ labels: {}, value: bavail / blocks }];
      },
    });
    this.socket.on('message', (message) => this.count(message.toString('latin1')));
  }

  async listen(port: number): Promise<void> {
    this.socket.bind(port, '127.0.0.1');
    await once(this.socket, 'listening');
  }

  onApplicationShutdown(): void {
    this.socket.close();
  }

  /** Reads one message of syslog with the fields of the format `vitrine` in nginx.conf. */
  private count(message: string): void {
    const fields = message.slice(message.indexOf(': ') + 2).split('|');
    const [status = '', bytes = '', cached, upstream = '', began = '', decided, id = '', slug = ''] = fields;
    if (!/^\d{3}$/.test(status)) return;
    const asked = lastOf(upstream);
    // upload-service decided before: in a question, or with an answer that names the object.
    const isOfBucket = asked !== '' && (decided !== '' || upstream.includes(' : '));
    const own = asked === '' ? 'nginx' : 'upload-service';
    const source = cached === 'HIT' ? 'cache' : isOfBucket ? 'bucket' : own;
    this.requests.inc({ status, source });
    this.sentBytes.inc(Number(bytes) || 0);
    const isBucketError = source === 'bucket' && !FINE.test(asked);
    const seconds = Number(lastOf(began) || NaN);
    if (source === 'bucket' && Number.isFinite(seconds)) this.bucketSeconds.observe(seconds);
    if (isBucketError) this.bucketErrors.inc({ status: asked });
    if (isBucketError || /^50[024]$/.test(status))
      this.report(id, `A request${slug && ` for ${slug}`} got ${status}: ${source} ${asked}`.trimEnd());
  }

  private report(id: string, text: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.second) [this.second, this.lines] = [second, 0];
    if (++this.lines <= LINES_A_SECOND) withCorrelation(id, () => this.logger.warn(text));
  }
}

/** The value of the last server that was asked: nginx separates them by commas, and groups of them by colons. */
const lastOf = (values: string): string => values.split(/[,:]/).at(-1)?.trim().replace(/^-$/, '') ?? '';
