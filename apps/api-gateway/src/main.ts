import 'reflect-metadata';
import { buildPublicHost } from '@vitrine/http';
import { listenPublicly, runService } from '@vitrine/runtime';
import { ApiConfig } from './api.config';
import { ApiGatewayModule } from './api-gateway.module';
import { ApiDescription } from './openapi/api-description';

void runService('api-gateway', {
  module: ApiGatewayModule,
  build: async (logger) => {
    const app = await buildPublicHost(ApiGatewayModule, logger, { addresses: ({ api }) => [api] });
    app.get(ApiDescription).readFrom(app);
    return app;
  },
  start: (app) => listenPublicly(app, app.get(ApiConfig).port, 'API_PORT'),
});
