import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { endingTransactionsWith } from '@vitrine/database';
import { AnswerLostError, RequestInProgressError, UnavailableError } from '@vitrine/domain';
import { accessOf, type RequestAccess } from '../access/request-access';
import { answerTo } from '../errors/error-answer';
import { type Claim, IdempotencyRepository } from './idempotency.repository';
import { isFinalAnswer, readKey, keyReusedError } from './idempotency.rules';
import { LEASE_SECONDS, Leases } from './leases';
import { deriveKeys, keyId, type RequestKeys, seal, unseal } from './sealing';

/** Seconds after which a request in progress has probably been answered. */
const RETRY_AFTER = 1;
/** If a key is released between the attempt to take it and the query that finds it, taking it again may succeed. */
const MAX_ATTEMPTS = 3;

/** An answer that can be sent again. */
export interface KeptAnswer {
  readonly status: number;
  /** Headers that the route set. Headers of every answer are not kept. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON; empty without a body. */
  readonly body: string;
}

/** An idempotency key of a caller. */
export interface CallerKey {
  readonly id: Buffer;
  readonly key: string;
}

/** The digest of a request, and whether it or its answer contains passwords or tokens. */
export interface KeyedRequest {
  readonly digest: Buffer;
  readonly secretive: boolean;
}

/**
 * Carries a request out once for each key of a caller, whichever process receives it and even if processes die.
 *
 * An attempt takes the row of the key before its work begins; the primary key decides between simultaneous attempts. Every
 * transaction of the work ends by marking the row, on condition that the attempt is still valid. So the effects
 * of an attempt are committed together with the mark: a later attempt begins only if nothing was committed, and an attempt
 * that was slow and taken for dead can commit nothing more.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger(Idempotency.name);

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly leases: Leases,
  ) {}

  /** The request's key; null without one. Throws `InvalidFieldsError` on `idempotency_key`. */
  keyOf(request: IncomingMessage): CallerKey | null {
    const key = readKey(request.headers['idempotency-key']);
    const access = accessOf(request);
    return key === null || !access ? null : { id: keyId(callerOf(access), key), key };
  }

  /** Whether the key has been used in the last 24 hours, for any request. */
  async knows({ id }: CallerKey): Promise<boolean> {
    return (await this.repository.find(id)) !== null;
  }

  /**
   * Returns the kept answer to a request, or else the answer of `work`, which it keeps. Rethrows what `work` throws,
   * and keeps the answer that the error becomes. Throws `InvalidFieldsError` if the key was used for another request,
   * `RequestInProgressError`, and `AnswerLostError` if the request was carried out and its answer was lost.
   */
  async answer(
    { id, key }: CallerKey,
    { digest, secretive }: KeyedRequest,
    work: () => Promise<KeptAnswer>,
  ): Promise<KeptAnswer & { readonly replayed: boolean }> {
    const keys = await deriveKeys(id, key, digest, secretive);
    const claim: Claim = { id, claim: randomUUID() };
    const kept = await this.takeOrFind(claim, keys);
    if (kept) return { ...kept, replayed: true };
    return { ...(await this.carryOut(claim, keys, work)), replayed: false };
  }

  /**
   * Does the same as `answer` for a route whose `work` returns the value to send as JSON and may set status and headers. Sets
   * the status and headers of the answer, and returns the body to send.
   */
  async respond(
    response: ServerResponse,
    key: CallerKey,
    request: KeyedRequest,
    work: () => Promise<unknown>,
  ): Promise<string | undefined> {
    const before = response.getHeaders();
    const { status, headers, body, replayed } = await this.answer(key, request, async () => {
      const value = await work();
      return {
        status: response.statusCode,
        headers: headersSince(before, response.getHeaders()),
        body: JSON.stringify(value) ?? '',
      };
    });
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    if (body === '') return undefined;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return body;
  }

  /** Takes the key and returns null, or returns the kept answer. */
  private async takeOrFind(
    claim: Claim,
    { fingerprint, sealingKey }: RequestKeys,
  ): Promise<KeptAnswer | null> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (await this.repository.take(claim, fingerprint, LEASE_SECONDS)) return null;
      const known = await this.repository.find(claim.id);
      if (!known) continue;
      if (!timingSafeEqual(known.fingerprint, fingerprint)) throw keyReusedError();
      if (known.answer) return JSON.parse(unseal(known.answer, sealingKey)) as KeptAnswer;
      if (known.carriedOut && known.lapsed) throw new AnswerLostError();
      break;
    }
    throw new RequestInProgressError(RETRY_AFTER);
  }

  private async carryOut(
    claim: Claim,
    { sealingKey }: RequestKeys,
    work: () => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    return this.leases.during(claim, async () => {
      try {
        const answer = await this.marking(claim, work);
        await this.keep(claim, answer, sealingKey);
        return answer;
      } catch (error) {
        const { status, headers = {}, body } = answerTo(error);
        await this.keep(claim, { status, headers, body: JSON.stringify(body) }, sealingKey);
        throw error;
      }
    });
  }

  /** Runs `work` so that each of its transactions marks the row, and commits only while the claim is valid. */
  private async marking<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    let inProgress = true;
    try {
      return await endingTransactionsWith(async (tx) => {
        // Work that the request started in the background is not part of it.
        if (!inProgress) return;
        if (!(await this.repository.markCarriedOut(tx, claim))) throw new UnavailableError(RETRY_AFTER);
      }, work);
    } finally {
      inProgress = false;
    }
  }

  /** An answer that can't be kept is sent nevertheless, because the request is done. */
  private async keep(claim: Claim, answer: KeptAnswer, sealingKey: Buffer): Promise<void> {
    try {
      if (isFinalAnswer(answer.status)) {
        await this.repository.keepAnswer(claim, seal(JSON.stringify(answer), sealingKey));
      } else {
        await this.repository.release(claim);
      }
    } catch (error) {
      this.logger.warn(
        `Could not store the answer to a request with an idempotency key; a retry gets 409: ${(error as Error).message}`,
      );
    }
  }
}

const headersSince = (before: OutgoingHttpHeaders, now: OutgoingHttpHeaders): KeptAnswer['headers'] => {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(now)) {
    if (value !== undefined && value !== before[name])
      headers[name] = Array.isArray(value) ? value : String(value);
  }
  return headers;
};

/** The owner of a key: the account, for all of its tokens; the client if there is no token. */
const callerOf = ({ caller, clientKey }: RequestAccess): string =>
  caller ? `user:${caller.userId}` : `address:${clientKey}`;
