import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildPublicHost, listenPublicly } from '@vitrine/http';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { runService } from '@vitrine/runtime';
import { FILE_HEADERS } from './files/files.module';
import { bePolite } from './polite-server';
import { FILES, lanesOf } from './request-lanes';
import { UploadServiceModule } from './upload-service.module';
import { UploadConfig } from './upload.config';

void runService('upload-service', {
  module: UploadServiceModule,
  build: (logger) =>
    buildPublicHost(UploadServiceModule, logger, {
      exempt: { [FILES]: FILE_HEADERS },
      readsOwnBodies: true,
      lanes: lanesOf,
      addresses: ({ upload, cdn }) => [upload, cdn],
    }),
  start: async (context) => {
    const app = context as NestExpressApplication;
    const config = app.get(UploadConfig);
    app.connectMicroservice({ strategy: app.get(EventsTransportStrategy) });
    // Handlers must not run before the modules' own start.
    await app.init();
    await app.startAllMicroservices();
    bePolite(app.getHttpServer(), config.totalSeconds);
    await listenPublicly(app, config.port, 'UPLOAD_PORT');
  },
});
