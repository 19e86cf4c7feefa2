import type { IncomingMessage } from 'node:http';

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
