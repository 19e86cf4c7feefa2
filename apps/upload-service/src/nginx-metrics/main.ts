import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { runService, RuntimeModule } from '@vitrine/runtime';
import { NginxLog } from './nginx-log';

/** The port to which docker/nginx/nginx.conf sends its log. */
const [port = '5140'] = process.argv.slice(2);

@Module({ imports: [RuntimeModule], providers: [NginxLog] })
class NginxMetricsModule {}

/** The process beside nginx that counts its requests. It has no credential. */
void runService('nginx', {
  module: NginxMetricsModule,
  build: (logger) =>
    NestFactory.createApplicationContext(NginxMetricsModule, { logger, abortOnError: false }),
  start: async (app) => {
    await app.init();
    await app.get(NginxLog).listen(Number(port));
  },
});
