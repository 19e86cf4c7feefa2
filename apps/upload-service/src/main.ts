import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildPublicHost, listenPublicly } from '@vitrine/http';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { runService } from '@vitrine/runtime';
import { bePolite } from './polite-server';
import { UploadServiceModule } from './upload-service.module';
import { UploadConfig } from './upload.config';

void runService('upload-service', {
  build: (logger) => buildPublicHost(UploadServiceModule, logger, { exempt: ['/f/'], readsOwnBodies: true }),
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
