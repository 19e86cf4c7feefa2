import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { endingTransactionsWith } from '@vitrine/database';
import { AnswerLostError, RequestInProgressError, UnavailableError } from '@vitrine/domain';
import { type Admission, admissionOf } from '../admission';
import { answerTo } from '../error-answer';
import { type Claim, IdempotencyRepository } from './idempotency.repository';
import { isLastWord, readKey, usedOtherwise } from './idempotency.rules';
import { LEASE_SECONDS, Leases } from './leases';
import { deriveKeys, keyId, type RequestKeys, seal, unseal } from './sealing';

/** Seconds after which the answer of a request in progress is likely to be there. */
const RETRY_AFTER = 1;
/** A key that is released between being taken and being found may be taken after all. */
const TRIES = 3;

/** An answer as it can be given again. */
export interface KeptAnswer {
  readonly status: number;
  /** Headers that the route set; those that every answer has are made anew. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON; empty for none. */
  readonly body: string;
}

/** A caller's key. */
export interface CallerKey {
  readonly id: Buffer;
  readonly key: string;
}

/** What a request asks for, digested, and whether there are passwords or tokens in it or in its answer. */
export interface KeyedRequest {
  readonly digest: Buffer;
  readonly secretive: boolean;
}

/**
 * Carries a request out once for each key of a caller, whatever process it reaches and whichever of them dies.
 *
 * The key's row is taken before the work begins, and the primary key decides who takes it. Every transaction of the
 * work ends by marking the row, under the condition that the attempt is still in force. So what an attempt does is
 * committed together with the mark: a later attempt begins only where nothing was committed, and one that was
 * thought dead and was merely slow can commit nothing more.
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
    const admission = admissionOf(request);
    return key === null || !admission ? null : { id: keyId(callerOf(admission), key), key };
  }

  /** Whether the key has been used in the last 24 hours, for whatever request. */
  async knows({ id }: CallerKey): Promise<boolean> {
    return (await this.repository.find(id)) !== null;
  }

  /**
   * The answer to a request: the kept one where there is one, else `work`'s, which is kept. What `work` throws is
   * thrown on, and kept as the answer that it becomes. Throws `InvalidFieldsError` where the key was used for
   * another request, `RequestInProgressError`, and `AnswerLostError` where the request was carried out and nobody
   * knows what the answer was.
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
   * As `answer`, for a route whose `work` returns the value to send as JSON and may set status and headers. Sets
   * those of the answer; returns the body to send.
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

  /** Null where the claim holds from now on. */
  private async takeOrFind(
    claim: Claim,
    { fingerprint, sealingKey }: RequestKeys,
  ): Promise<KeptAnswer | null> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (await this.repository.take(claim, fingerprint, LEASE_SECONDS)) return null;
      const known = await this.repository.find(claim.id);
      if (!known) continue;
      if (!timingSafeEqual(known.fingerprint, fingerprint)) throw usedOtherwise();
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

  /** Runs `work` so that each of its transactions commits only while the claim is in force, and leaves its mark. */
  private async marking<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    let underWay = true;
    try {
      return await endingTransactionsWith(async (tx) => {
        // What the request set off in the background is no part of it.
        if (!underWay) return;
        if (!(await this.repository.markCarriedOut(tx, claim))) throw new UnavailableError(RETRY_AFTER);
      }, work);
    } finally {
      underWay = false;
    }
  }

  /** A client whose answer can't be kept gets it all the same: its request is done. */
  private async keep(claim: Claim, answer: KeptAnswer, sealingKey: Buffer): Promise<void> {
    try {
      if (isLastWord(answer.status)) {
        await this.repository.keepAnswer(claim, seal(JSON.stringify(answer), sealingKey));
      } else {
        await this.repository.release(claim);
      }
    } catch (error) {
      this.logger.warn(
        `The answer to a request with an idempotency key was not kept: ${(error as Error).message}`,
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

/** Whose key it is: the account's, whichever token came with it; without a token the address's. */
const callerOf = ({ caller, addressBucket }: Admission): string =>
  caller ? `user:${caller.userId}` : `address:${addressBucket}`;
