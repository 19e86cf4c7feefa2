import { apartFromManagement, Consistent, parse, Setting } from '@vitrine/runtime';

/** Settings that only api-gateway has. */
@Consistent<ApiConfig>(apartFromManagement)
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
