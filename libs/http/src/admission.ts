import type { IncomingMessage } from 'node:http';
import type { Caller } from '@vitrine/domain';

/** What is known of a request before any route sees it. */
export interface Admission {
  /** Null without a token; a bad token never gets this far. */
  readonly caller: Caller | null;
  /** The client's address in one spelling; `unknown` where the connection is gone already. */
  readonly address: string;
  /** Whom per-address limits count as one: the IPv4 address, or the /64 of an IPv6 one. */
  readonly addressBucket: string;
  /** The web site asks on a visitor's behalf, and has proved that it is the web site. */
  readonly viaSite: boolean;
}

const admissions = new WeakMap<IncomingMessage, Admission>();

export const recordAdmission = (request: IncomingMessage, admission: Admission): void =>
  void admissions.set(request, admission);

/** The admission of a request; undefined on exempt paths. */
export const admissionOf = (request: IncomingMessage): Admission | undefined => admissions.get(request);
