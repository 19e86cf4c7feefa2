import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { loadConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { ApiGatewayModule } from './api-gateway.module';
import { describeApi } from './openapi/describe-api';

/** The document with the addresses of the embedded default. Starts nothing: it only reads the modules. */
export async function describeDefaultApi(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(ApiGatewayModule, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return describeApi(app, loadConfig(PublicUrlsConfig, {}));
}
