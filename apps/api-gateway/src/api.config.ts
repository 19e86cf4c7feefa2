import { Consistent, parse, RuntimeConfig, Setting } from '@vitrine/runtime';

/** The API's own settings. */
@Consistent<ApiConfig>({
  field: 'port',
  must: 'differ from MANAGEMENT_PORT',
  beside: 'MANAGEMENT_PORT',
  holds: ({ port }, read) => port !== read(RuntimeConfig).managementPort,
})
export class ApiConfig {
  @Setting({
    env: 'API_PORT',
    why: 'Public port of the API.',
    parse: parse.port,
    default: 3000,
    example: '3000',
  })
  port!: number;
}
