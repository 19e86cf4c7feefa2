import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Caller, TokensService, UnauthenticatedError } from '@vitrine/domain';
import { nameCaller, noteClientAddress, UNKNOWN_ADDRESS } from '@vitrine/runtime';
import { RequestClients } from '../clients/request-clients';
import type { RequestAccess } from './request-access';

/** A token that a request carries in another form than `Authorization: Bearer`. */
export interface RequestCredential {
  /** The token as sent, which may be malformed. */
  readonly secret: string;
  /** The token was in the path, so only one that may upload and nothing else is accepted. */
  readonly inPath?: true;
}

const credentials = new WeakMap<IncomingMessage, RequestCredential>();

/** Declares with which token a request is identified, in place of its `Authorization` header. */
export const recordCredential = (request: IncomingMessage, credential: RequestCredential): void =>
  void credentials.set(request, credential);

/** Undefined if the `Authorization` header decides. */
export const credentialOf = (request: IncomingMessage): RequestCredential | undefined =>
  credentials.get(request);

/** Longer than any token, and than any `Authorization` header with one, even with spaces after the scheme. */
const MAX_LENGTH = 512;

const BEARER = /^Bearer +([^ ]+) *$/i;

/** The sender of a request. With a `refusal` the token is bad or could not be looked up, and `caller` is null. */
export interface Identity extends RequestAccess {
  readonly refusal?: unknown;
}

/** Finds out who sends a request, by its token and its address. */
@Injectable()
export class Identification {
  constructor(
    private readonly tokens: TokensService,
    private readonly clients: RequestClients,
  ) {}

  /** Never rejects: the request must be counted before it is refused. */
  async identify(request: IncomingMessage): Promise<Identity> {
    const { client, viaSite } = this.clients.of(request);
    if (client !== UNKNOWN_ADDRESS) noteClientAddress(client.address);
    const sender = { address: client.address, clientKey: client.clientKey, viaSite };
    try {
      const caller = await this.callerOf(request);
      if (caller) nameCaller(request, caller.kind);
      return { ...sender, caller };
    } catch (refusal) {
      return { ...sender, caller: null, refusal };
    }
  }

  /** Null without a token. Throws `UnauthenticatedError` for a bad one. */
  private async callerOf(request: IncomingMessage): Promise<Caller | null> {
    const credential = credentialOf(request);
    if (credential) return this.callerWith(credential);
    const { authorization } = request.headers;
    if (authorization === undefined) return null;
    const secret = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1];
    const caller = secret === undefined ? null : await this.tokens.authenticate(secret);
    if (!caller) throw new UnauthenticatedError();
    return caller;
  }

  private async callerWith({ secret, inPath }: RequestCredential): Promise<Caller> {
    const caller = secret.length > MAX_LENGTH ? null : await this.tokens.authenticate(secret);
    if (!caller || (inPath && !mayOnlyUpload(caller))) throw new UnauthenticatedError();
    return caller;
  }
}

/** Paths are copied, logged by proxies and kept in histories, so a token in one must not be able to do more. */
const mayOnlyUpload = ({ kind, scopes }: Caller): boolean =>
  kind === 'api' && scopes.length === 1 && scopes[0] === 'upload';
