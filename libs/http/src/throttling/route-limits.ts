import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Throttle } from '@nestjs/throttler';

/** The throttler that counts requests for the limit of their route. Routes without a separate limit aren't counted. */
export const ROUTE_THROTTLER = 'route';

/** How many requests of one client to a route a window allows. */
export interface RouteLimit {
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly ttl: number;
}

/** Whether successful requests don't count for the limit of their route. */
export const CountsFailures = Reflector.createDecorator<true>();

/** Limits the requests of one client to a route, in addition to the limit of all its requests. */
export const ThrottleRequests = (limit: RouteLimit) => Throttle({ [ROUTE_THROTTLER]: { ...limit } });

/**
 * As `ThrottleRequests`, for failed requests. Each request is counted before its route runs, so that simultaneous ones
 * count too; if it succeeds, it is taken out of the count again.
 */
export const ThrottleFailures = (limit: RouteLimit) =>
  applyDecorators(ThrottleRequests(limit), CountsFailures(true));
