import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

/** The API's OpenAPI document under this process's public addresses. */
@Injectable()
export class ApiDescription {
  private described: OpenAPIObject | undefined;

  constructor(private readonly urls: PublicUrlsConfig) {}

  /** Reads the document off the application: once, before it listens. */
  readFrom(app: INestApplication): void {
    this.described = describeApi(app, this.urls);
  }

  get document(): OpenAPIObject {
    if (!this.described) throw new Error('The application hasn’t been read');
    return this.described;
  }
}
