// What needs neither Nest nor a client library, for processes that must stay small.
export * as parse from './config/parsers';
export { PublicUrlsConfig } from './config/public-urls.config';
export { ConfigurationError, type Environment, loadConfig, Setting } from './config/setting';
export { sqlState } from './errors/database-outage';
export { errorMessage } from './errors/error-message';
export { printable } from './logging/loggable';
