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
import { type Caller, ForbiddenError, UnauthenticatedError } from '@vitrine/domain';
import type { Request } from 'express';
import { type Admission, admissionOf } from './admission';
import { VISITOR_AGENT_HEADER } from './request-clients';

/** What a route asks of its caller. */
export interface AccessRule {
  /** A scope that an API token must hold; sessions hold all. */
  readonly scope?: Scope;
  /** API tokens of any scope won't do: the person must have logged in. */
  readonly session?: true;
  /** A guest's token does too; `alone`: no other does. */
  readonly guest?: 'too' | 'alone';
  /** A ticket does too. */
  readonly ticket?: 'too';
  /** No token is needed where the web site asks for a visitor; a `CurrentAdmission` may be without caller then. */
  readonly visitors?: true;
  /** Moderators and admins alone. */
  readonly role?: 'moderator';
}

const Access = Reflector.createDecorator<AccessRule | 'public'>();

/** Where the OpenAPI document finds a route's rule. */
export const ACCESS_EXTENSION = 'x-access';

const access = (rule: AccessRule | 'public'): MethodDecorator & ClassDecorator =>
  applyDecorators(Access(rule), ApiExtension(ACCESS_EXTENSION, rule));

/** Anybody may call this route; a bad token is refused all the same. */
export const Public = (): MethodDecorator & ClassDecorator => access('public');

/** Only callers with a token that keeps the rule may call this route: else 401, or 403. */
export const Authenticated = (rule: AccessRule): MethodDecorator & ClassDecorator => access(rule);

/** Holds every HTTP route against its rule. A route that declares none is closed to all. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const rule = this.reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
    if (rule === 'public') return true;
    const admission = admissionIn(context);
    if (!admission?.caller) {
      if (rule?.visitors && admission?.viaSite) return true;
      throw new UnauthenticatedError();
    }
    if (!rule || !keeps(admission.caller, rule)) throw new ForbiddenError();
    return true;
  }
}

/**
 * Whether passwords or tokens may pass through a route: open ones make sessions, those for people logged in change
 * passwords and make tokens.
 */
export const handlesSecrets = (reflector: Reflector, context: ExecutionContext): boolean => {
  const rule = reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
  return rule === 'public' || rule?.session === true;
};

function keeps(caller: Caller, { scope, session, guest, ticket, role }: AccessRule): boolean {
  if (role !== undefined && !isModerator(caller)) return false;
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

const admissionIn = (context: ExecutionContext): Admission | undefined =>
  admissionOf(context.switchToHttp().getRequest<Request>());

/** The caller of an `@Authenticated` route. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = admissionIn(context)?.caller;
  if (!caller) throw new UnauthenticatedError();
  return caller;
});

/** Who looks, on a `@Public` route: the caller where the token may read, as a guest's may, else null. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Caller | null => {
  const caller = admissionIn(context)?.caller;
  return caller && keeps(caller, { scope: 'read', guest: 'too' }) ? caller : null;
});

/**
 * Whether a list may be some seconds old: who comes without a token can't have written anything that they would miss,
 * also where the token isn't one that may read.
 */
export const MayLag = createParamDecorator(
  (_: unknown, context: ExecutionContext): boolean => !admissionIn(context)?.caller,
);

/** The client's `User-Agent`, or the visitor's where the web site asks on its behalf; null where there is none. */
export const CurrentAgent = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const header = admissionIn(context)?.viaSite ? VISITOR_AGENT_HEADER : 'user-agent';
  return context.switchToHttp().getRequest<Request>().get(header) ?? null;
});

/** The whole `Admission` of the request: caller or null, address, whether the web site asks. */
export const CurrentAdmission = createParamDecorator((_: unknown, context: ExecutionContext): Admission => {
  const admission = admissionIn(context);
  if (!admission) throw new Error('This path is exempt from admission');
  return admission;
});
