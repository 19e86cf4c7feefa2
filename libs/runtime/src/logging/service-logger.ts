import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { RuntimeConfig } from '../config/runtime.config';
import { currentTraceIds } from '../tracing/tracing';
import { currentCorrelationId } from './correlation';
import { indented, loggable, printable } from './loggable';

const LEVELS: readonly LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/** Nest logs each module and route while it starts: 60 lines per process, logged here at `debug`. */
const BOOT_CONTEXTS = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory']);

/**
 * Nest's console logger, with the service's name and the correlation id in each JSON line. It logs of errors only what
 * `loggable` keeps, and no text of clients can forge a line or control a terminal.
 */
export class ServiceLogger extends ConsoleLogger {
  constructor(
    private readonly service: string,
    config: Pick<RuntimeConfig, 'logFormat' | 'logLevel'>,
  ) {
    super({
      json: config.logFormat === 'json',
      colors: false,
      flattenParams: true,
      logLevels: LEVELS.slice(LEVELS.indexOf(config.logLevel)),
    });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (BOOT_CONTEXTS.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  protected override printMessages(
    ...[messages, context, level, stream, stack, params]: Parameters<ConsoleLogger['printMessages']>
  ): void {
    super.printMessages(
      messages.map((message) => loggable(this.resolveMessage(message))),
      context,
      level,
      stream,
      stack,
      params && Object.fromEntries(Object.entries(params).map(([key, value]) => [key, loggable(value)])),
    );
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && indented(stack));
  }

  /** Adds the fields that docs/observability.md promises; facts that are logged with a message become fields too. */
  protected override stringifyJsonLogObject(
    ...[{ timestamp, level, ...rest }, ...more]: Parameters<ConsoleLogger['stringifyJsonLogObject']>
  ): string {
    const line = {
      time: new Date(Number(timestamp)).toISOString(),
      level,
      service: this.service,
      context: '',
      ...rest,
      correlation_id: currentCorrelationId(),
      ...currentTraceIds(),
    };
    return printable(super.stringifyJsonLogObject(line, ...more));
  }

  /** For people: time, level, context and message; the supervisor adds the service. */
  protected override formatMessage(...args: Parameters<ConsoleLogger['formatMessage']>): string {
    const [level, message, , , context] = args;
    const time = new Date().toISOString().slice(11, 23);
    const text = indented(`${context}${this.stringifyMessage(message, level)}`);
    return `${time} ${level.toUpperCase().padEnd(5)} ${text}\n`;
  }
}
