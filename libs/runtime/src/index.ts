export * as parse from './config/parsers';
export { provideConfig } from './config/provide-config';
export { PublicUrlsConfig } from './config/public-urls.config';
export { RuntimeConfig } from './config/runtime.config';
export {
  ConfigurationError,
  declaredSettings,
  loadConfig,
  Setting,
  type Environment,
  type SettingOptions,
} from './config/setting';
export { runService, type Service } from './lifecycle/run-service';
export { correlationId, currentCorrelationId, withCorrelation } from './logging/correlation';
export { printable } from './logging/loggable';
export { requestContext } from './logging/request-context';
export { ServiceLogger } from './logging/service-logger';
export { Health } from './management/health';
export { listen, PortInUseError } from './management/management-server';
export { RuntimeModule } from './runtime.module';
export { Sweep } from './sweeping/sweep';
export { Sweeper } from './sweeping/sweeper';
