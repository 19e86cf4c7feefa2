import 'reflect-metadata';
import { buildPublicHost, listenPublicly } from '@vitrine/http';
import { runService } from '@vitrine/runtime';
import { ApiConfig } from './api.config';
import { ApiGatewayModule } from './api-gateway.module';

void runService('api-gateway', {
  build: (logger) => buildPublicHost(ApiGatewayModule, logger),
  start: (app) => listenPublicly(app, app.get(ApiConfig).port, 'API_PORT'),
});
