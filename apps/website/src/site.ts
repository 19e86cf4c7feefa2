import type { Server } from 'node:http';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Health, PortInUseError } from '@vitrine/runtime';
import type { NextFunction, Request, Response } from 'express';
import { ErrorPageFilter } from './pages/error-page.filter';
import { WebsiteConfig } from './website.config';
import { WebsiteModule } from './website.module';

/** Builds the website's application: pages, security headers, error pages. */
export async function buildSite(logger: LoggerService): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(WebsiteModule, { logger, bodyParser: false });
  app.disable('x-powered-by');
  app.use(securityHeaders);
  app.useGlobalFilters(new ErrorPageFilter());
  const server: Server = app.getHttpServer();
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

/** Opens the public port. Throws `PortInUseError` naming the setting that moves it. */
export async function listenForVisitors(app: INestApplicationContext): Promise<void> {
  const { port } = app.get(WebsiteConfig);
  try {
    await (app as NestExpressApplication).listen(port);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new PortInUseError(port, 'SITE_PORT')
      : error;
  }
}

/** The pages run no script, send no form and load nothing but our own style and icon. */
function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
}
