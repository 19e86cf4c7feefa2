import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** No request class is nested deeper than a few levels; code that recurs over a body must not run out of stack. */
const MAX_DEPTH = 32;

/** Express middleware, after the parser: refuses a body that is nested beyond reason as one that can't be read. */
export function refuseDeepBody(request: Request, _response: Response, next: NextFunction): void {
  next(isDeeperThan(MAX_DEPTH, request.body) ? new BadRequestException() : undefined);
}

/** Whether arrays and objects are nested more than `depth` levels; looks no further than that. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item));
}
