import { headers, ratio, url } from '../config/parsers';
import { Setting } from '../config/setting';

/** Where traces are sent. No other variables of OpenTelemetry are read. */
export class TracingConfig {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    why: 'OpenTelemetry collector (OTLP over HTTP) that receives traces under /v1/traces; unset: tracing is off.',
    parse: url('http', 'https'),
    default: '',
    example: 'http://otel-collector.internal:4318',
  })
  endpoint!: string;

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    why: 'Headers for the collector, which may contain a secret: names with values, separated by commas.',
    parse: headers,
    default: {},
    example: 'authorization=Bearer%20secret',
  })
  headers!: Readonly<Record<string, string>>;

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    why: 'Share of the traces beginning here that are recorded, 0 to 1; for a trace that began in another process, that process has decided.',
    parse: ratio,
    default: 1,
    example: '0.05',
  })
  sampleRatio!: number;
}
