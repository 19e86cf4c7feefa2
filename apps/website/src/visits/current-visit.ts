import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Visit } from './visit';

const visits = new WeakMap<Request, Visit>();

export const recordVisit = (visit: Visit): void => void visits.set(visit.request, visit);

/** The visit of a request. Throws if `Visits` has not recorded one. */
export function visitOf(request: Request): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error('No visit was recorded for this request.');
  return visit;
}

/** Parameter decorator: the `Visit`. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit =>
  visitOf(context.switchToHttp().getRequest<Request>()),
);
