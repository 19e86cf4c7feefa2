import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { RuntimeConfig } from '../config/runtime.config';
import { currentTraceIds } from '../tracing/propagation';
import { currentCorrelationId } from './correlation';
import { indented, loggable, printable } from './loggable';

const LEVELS: readonly LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/** Nest tells of each module and route while it boots: 60 lines a process that nobody reads twice. */
const BOOT_CHATTER = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory']);

/**
 * Nest's console logger, with the service's name and the correlation id in each JSON line. Of errors it tells no more
 * than `loggable` lets through, and what strangers wrote can neither forge a line nor drive a terminal.
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
    if (BOOT_CHATTER.has(String(rest.at(-1)))) super.debug(message, ...rest);
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

  /** With the fields that docs/observability.md promises; facts given with a message stand beside it. */
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

  /** For people: time, level, context, message; the supervisor adds the service. */
  protected override formatMessage(...args: Parameters<ConsoleLogger['formatMessage']>): string {
    const [level, message, , , context] = args;
    const time = new Date().toISOString().slice(11, 23);
    const text = indented(`${context}${this.stringifyMessage(message, level)}`);
    return `${time} ${level.toUpperCase().padEnd(5)} ${text}\n`;
  }
}
