import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Scope } from '@vitrine/contracts';
import {
  type Caller,
  FactorRequiredError,
  ForbiddenError,
  StaffFactorRequiredError,
  UnauthenticatedError,
} from '@vitrine/domain';
import type { Request } from 'express';
import { VISITOR_AGENT_HEADER } from '../clients/request-clients';
import { accessOf, type RequestAccess } from './request-access';

/** What a route requires of its caller. */
export interface AccessRule {
  /** A scope that an API token must hold; sessions hold all. */
  readonly scope?: Scope;
  /** The person must have logged in: no API token is accepted, whatever its scopes. */
  readonly session?: true;
  /** A guest's token is accepted too; `alone`: only a guest's token is. */
  readonly guest?: 'too' | 'alone';
  /** A ticket is accepted too. */
  readonly ticket?: 'too';
  /** The website needs no token when it sends a request for a visitor; `CurrentAccess` may have no caller then. */
  readonly visitors?: true;
  /** Accounts may call the route that lack the second factor that the site requires of all: it helps them to get one. */
  readonly withoutFactor?: true;
  /** Only moderators and admins may call the route; `admin`: only admins. */
  readonly role?: 'moderator' | 'admin';
}

const Access = Reflector.createDecorator<AccessRule | 'public'>();

/** The extension under which the OpenAPI document finds a route's rule. */
export const ACCESS_EXTENSION = 'x-access';

const access = (rule: AccessRule | 'public'): MethodDecorator & ClassDecorator =>
  applyDecorators(Access(rule), ApiExtension(ACCESS_EXTENSION, rule));

/** Anyone may call this route. A request with a bad token is refused nevertheless. */
export const Public = (): MethodDecorator & ClassDecorator => access('public');

/** Only callers whose token satisfies the rule may call this route; others get 401 or 403. */
export const Authenticated = (rule: AccessRule): MethodDecorator & ClassDecorator => access(rule);

/** Checks every HTTP request against the rule of its route. A route that declares no rule is closed to everyone. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const rule = this.reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
    if (rule === 'public') return true;
    const access = accessIn(context) ?? { caller: null, viaSite: false };
    if (!rule) throw access.caller ? new ForbiddenError() : new UnauthenticatedError();
    assertAccess(rule, access);
    return true;
  }
}

/**
 * Checks the sender of a request against a rule. Throws `UnauthenticatedError`, `ForbiddenError`,
 * `FactorRequiredError` for accounts that lack a required second factor, and `StaffFactorRequiredError` for staff without
 * one on a route of staff.
 */
export function assertAccess(rule: AccessRule, access: Pick<RequestAccess, 'caller' | 'viaSite'>): void {
  const { caller, viaSite } = access;
  if (!caller && rule.visitors && viaSite) return;
  if (!caller) throw new UnauthenticatedError();
  if (caller.lacksFactor && !rule.withoutFactor) throw new FactorRequiredError();
  if (rule.role !== undefined && caller.lacksStaffFactor) throw new StaffFactorRequiredError();
  if (!satisfies(caller, rule)) throw new ForbiddenError(missingScope(caller, rule));
}

/** The scope that an API token lacks for a rule; undefined if another scope would not help. */
const missingScope = ({ kind, scopes }: Caller, { scope, session, guest }: AccessRule): Scope | undefined =>
  kind === 'api' && !session && guest !== 'alone' && scope && !scopes.includes(scope) ? scope : undefined;

/** The rule for uploads. upload-service checks it, and the OpenAPI document describes it. */
export const UPLOAD_ACCESS: AccessRule = { scope: 'upload', ticket: 'too', visitors: true };

/** The rule for creating posts, by themselves or with an upload. */
export const CREATE_POST_ACCESS: AccessRule = { scope: 'write', guest: 'too' };

/**
 * Whether passwords or tokens may pass through a route: public routes open sessions, and routes that require a session
 * change passwords and create tokens.
 */
export const handlesSecrets = (reflector: Reflector, context: ExecutionContext): boolean => {
  const rule = reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
  return rule === 'public' || rule?.session === true;
};

function satisfies(caller: Caller, { scope, session, guest, ticket, role }: AccessRule): boolean {
  if (role === 'moderator' && !isModerator(caller)) return false;
  if (role === 'admin' && caller.role !== 'admin') return false;
  switch (caller.kind) {
    case 'session':
      return guest !== 'alone';
    case 'api':
      return guest !== 'alone' && !session && (scope === undefined || caller.scopes.includes(scope));
    case 'guest':
      return guest !== undefined;
    case 'ticket':
      return ticket !== undefined;
  }
}

const isModerator = ({ role }: Caller): boolean => role === 'moderator' || role === 'admin';

const accessIn = (context: ExecutionContext): RequestAccess | undefined =>
  accessOf(context.switchToHttp().getRequest<Request>());

/** The caller of an `@Authenticated` route. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = accessIn(context)?.caller;
  if (!caller) throw new UnauthenticatedError();
  return caller;
});

/**
 * The viewer on a `@Public` route: the caller if the token may read (a guest's token may) and the account doesn't lack a
 * required second factor, else null.
 */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Caller | null => {
  const caller = accessIn(context)?.caller;
  return caller && !caller.lacksFactor && satisfies(caller, { scope: 'read', guest: 'too' }) ? caller : null;
});

/**
 * Whether a list may be some seconds old. It may be for a request without a token: its sender can't have written
 * anything that they would miss.
 */
export const MayLag = createParamDecorator(
  (_: unknown, context: ExecutionContext): boolean => !accessIn(context)?.caller,
);

/** The client's `User-Agent`, or the visitor's if the website sends the request; null if there is none. */
export const CurrentAgent = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const header = accessIn(context)?.viaSite ? VISITOR_AGENT_HEADER : 'user-agent';
  return context.switchToHttp().getRequest<Request>().get(header) ?? null;
});

/** The whole `RequestAccess` of the request: caller or null, address, client key, whether the website sends it. */
export const CurrentAccess = createParamDecorator((_: unknown, context: ExecutionContext): RequestAccess => {
  const access = accessIn(context);
  if (!access) throw new Error('Requests for this path are not identified');
  return access;
});
