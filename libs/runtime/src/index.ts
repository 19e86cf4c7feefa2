export { checkConfigs } from './config/check-configs';
export { configsOf } from './config/configs-of';
export { type EffectiveSetting, effectiveSettings, settingsInEffect } from './config/effective-settings';
export { type SettingsReport, SettingsReportSweep } from './config/settings-report.sweep';
export {
  MAX_FILE_BYTES_SETTING,
  ALTERNATIVES_SECONDS_SETTING,
  VARIANT_RETENTION_DAYS_SETTING,
  VIDEO_TOOLS_SETTING,
  type VideoToolsKind,
} from './config/shared-settings';
export * as parse from './config/parsers';
export { provideConfig, readConfig } from './config/provide-config';
export { PublicUrlsConfig } from './config/public-urls.config';
export { PublicUrlsModule } from './config/public-urls.module';
export { apartFromManagement, RuntimeConfig } from './config/runtime.config';
export {
  atMost,
  ConfigurationError,
  Consistent,
  contradictingSettings,
  declaredSettings,
  isConfig,
  loadConfig,
  Setting,
  type Environment,
  type SettingOptions,
} from './config/setting';
export { nameCaller, nameRoute, bringsBody, isView, onRequestEnd } from './http/requests';
export { HttpObservationModule } from './http/http-observation.module';
export { HttpMetrics } from './http/http-metrics';
export { type FollowedRequest, HttpObserver } from './http/http-observer';
export { type ClientAddress, ClientAddresses, readAddress, UNKNOWN_ADDRESS } from './http/client-address';
export { type FrontHandler, guardServer } from './http/guard-server';
export { limitBodyTime } from './http/limit-body-time';
export { listenPublicly, matchExactly } from './http/public-port';
export { PublicServerConfig } from './http/public-server.config';
export { isMisspelt, pathBegins, type RewriteTarget } from './http/request-target';
export type { PlainAnswer } from './http/unreadable-requests';
export { runService, type Service } from './lifecycle/run-service';
export {
  correlationId,
  currentClientAddress,
  currentCorrelationId,
  noteClientAddress,
  withCorrelation,
} from './logging/correlation';
export { errorMessage } from './errors/error-message';
export { printable } from './logging/loggable';
export { Health } from './management/health';
export { listen, PortInUseError } from './management/management-server';
export { type GaugeReading, scrapedGauge } from './metrics/scraped-gauge';
export { isDatabaseOutage, isLostConnection, OutageError, sqlState } from './errors/database-outage';
export { RuntimeModule } from './runtime.module';
export { failSpan, inSpan } from './tracing/in-span';
export { currentTraceparent, underTraceparent } from './tracing/tracing';
export { provideSweep, Sweep } from './sweeping/sweep';
export { Sweeper } from './sweeping/sweeper';
