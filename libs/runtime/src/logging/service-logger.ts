import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { RuntimeConfig } from '../config/runtime.config';
import { currentCorrelationId } from './correlation';

const LEVELS: readonly LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/** Nest tells of each module and route while it boots: 60 lines a process that nobody reads twice. */
const BOOT_CHATTER = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory']);

/** Nest's console logger, with the service's name and the correlation id in each JSON line. */
export class ServiceLogger extends ConsoleLogger {
  constructor(
    private readonly service: string,
    config: Pick<RuntimeConfig, 'logFormat' | 'logLevel'>,
  ) {
    super({
      json: config.logFormat === 'json',
      colors: false,
      logLevels: LEVELS.slice(LEVELS.indexOf(config.logLevel)),
    });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (BOOT_CHATTER.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  protected override getJsonLogObject(
    ...[message, options]: Parameters<ConsoleLogger['getJsonLogObject']>
  ): ReturnType<ConsoleLogger['getJsonLogObject']> {
    return {
      ...super.getJsonLogObject(message, options),
      service: this.service,
      correlation_id: currentCorrelationId(),
    };
  }

  /** For people: time, level, context, message; the supervisor adds the service. */
  protected override formatMessage(...args: Parameters<ConsoleLogger['formatMessage']>): string {
    const [level, message, , , context] = args;
    const time = new Date().toISOString().slice(11, 23);
    return `${time} ${level.toUpperCase().padEnd(5)} ${context}${this.stringifyMessage(message, level)}\n`;
  }
}
