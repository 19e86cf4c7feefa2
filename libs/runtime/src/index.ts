export { checkConfigs } from './config/check-configs';
export { configsOf } from './config/configs-of';
export { type EffectiveSetting, effectiveSettings, settingsInEffect } from './config/effective-settings';
export { type SettingsReport, SettingsReportSweep } from './config/settings-report.sweep';
export { MAX_FILE_BYTES_SETTING } from './config/max-file-bytes';
export { VARIANT_RETENTION_DAYS_SETTING } from './config/variant-retention';
export { VIDEO_TOOLS_SETTING, type VideoToolsKind } from './config/video-tools';
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
export { nameCaller, nameRoute } from './http/described-request';
export { HttpObservationModule } from './http/http-observation.module';
export { HttpMetrics } from './http/http-metrics';
export { type FollowedRequest, HttpObserver } from './http/http-observer';
export { bringsBody } from './http/brings-body';
export { isView } from './http/is-view';
export { type ClientAddress, ClientAddresses, readAddress, UNKNOWN_ADDRESS } from './http/client-address';
export { type FrontHandler, guardServer } from './http/guard-server';
export { limitBodyTime } from './http/limit-body-time';
export { listenPublicly, matchExactly } from './http/public-port';
export { PublicServerConfig } from './http/public-server.config';
export { isMisspelt, pathBegins, type RewriteTarget } from './http/request-target';
export type { PlainAnswer } from './http/unreadable-requests';
export { onRequestEnd } from './http/on-request-end';
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
export { isDatabaseOutage, isLostConnection } from './errors/database-outage';
export { OutageError } from './errors/outage-error';
export { RuntimeModule } from './runtime.module';
export { sqlState } from './errors/sql-state';
export { failSpan, inSpan } from './tracing/in-span';
export { currentTraceparent, underTraceparent } from './tracing/propagation';
export { provideHourlySweep } from './sweeping/provide-hourly-sweep';
export { Sweep } from './sweeping/sweep';
export { Sweeper } from './sweeping/sweeper';
