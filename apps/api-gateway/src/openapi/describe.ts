import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '@vitrine/http';
import { loadConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { ApiGatewayModule } from '../api-gateway.module';

/** The document under the embedded defaults' addresses. Nothing is started: the modules are only looked at. */
export async function describeDefaultApi(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(ApiGatewayModule, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return describeApi(app, loadConfig(PublicUrlsConfig, {}));
}
