import { Injectable } from '@nestjs/common';
import { nameCaller } from '@vitrine/runtime';
import type { NextFunction, Request, Response } from 'express';
import { ApiClients } from './api-clients';
import { recordVisit } from './current-visit';
import { FormTokens } from './form-tokens';
import { SiteCookies } from './site-cookies';
import { Viewers } from './viewers';
import { Visit, type VisitServices } from './visit';

/** Creates the `Visit` of each request, before its body is read. */
@Injectable()
export class Visits implements VisitServices {
  constructor(
    readonly clients: ApiClients,
    readonly cookies: SiteCookies,
    readonly formTokens: FormTokens,
    readonly viewers: Viewers,
  ) {}

  /** Express middleware. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const visit = new Visit(request, response, this);
    recordVisit(visit);
    if (visit.hasSession) nameCaller(request, 'session');
    next();
  };
}
