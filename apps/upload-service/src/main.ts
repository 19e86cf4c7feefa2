import { setFlagsFromString } from 'node:v8';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildPublicHost } from '@vitrine/http';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { listenPublicly, runService } from '@vitrine/runtime';
import { dialectRequests } from './dialects/dialect-requests';
import { DialectsConfig } from './dialects/dialects.config';
import { FileHandler } from './files/file-handler';
import { FILE_HEADERS } from './files/file-sender';
import { acceptLargeBodies, lanesOf } from './server/upload-server';
import { FILES_PREFIX } from './files/file-name';
import { UploadServiceModule } from './upload-service.module';
import { UploadConfig } from './config/upload.config';

// The heap may grow by 50 % before V8 marks it again. By default, V8 marks it after every few MiB that outlive the young
// generation, which is about once for 50 simultaneous uploads, and takes about 15 % of this process's processor time
// (docs/benchmarks.md). NODE_OPTIONS doesn't allow this option.
setFlagsFromString('--heap-growing-percent=50');

void runService('upload-service', {
  module: UploadServiceModule,
  build: (logger) =>
    buildPublicHost(UploadServiceModule, logger, {
      lanes: lanesOf,
      plain: {
        start: FILES_PREFIX,
        headers: FILE_HEADERS,
        handler: (app) => {
          const files = app.get(FileHandler);
          return (request, response, next) => files.handle(request, response, next);
        },
      },
      rewrite: (app) => dialectRequests(app.get(DialectsConfig).dialects),
      addresses: ({ upload, cdn }) => [upload, cdn],
    }),
  start: async (context) => {
    const app = context as NestExpressApplication;
    const config = app.get(UploadConfig);
    app.connectMicroservice({ strategy: app.get(EventsTransportStrategy) });
    // The modules must have started before an event handler runs.
    await app.init();
    await app.startAllMicroservices();
    acceptLargeBodies(app.getHttpServer(), config.totalSeconds);
    await listenPublicly(app, config.port, 'UPLOAD_PORT');
  },
});
