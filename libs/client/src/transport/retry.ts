import { VitrineError } from './vitrine-error';

/** How often a failed request is repeated, and after which pauses. */
export interface RetryOptions {
  /** Number of attempts, including the first. Default: 4. */
  readonly attempts?: number;
  /** Pause before the second attempt in milliseconds; it doubles for each further attempt. Default: 300. */
  readonly baseDelayMs?: number;
  /** Longest pause in milliseconds, if the response names none. Default: 10,000. */
  readonly maxDelayMs?: number;
  /** Longest `Retry-After` to wait for, in milliseconds; a longer one fails immediately. Default: 60,000. */
  readonly maxRetryAfterMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

const DEFAULTS: RetryPolicy = { attempts: 4, baseDelayMs: 300, maxDelayMs: 10_000, maxRetryAfterMs: 60_000 };

/** `false` means a single attempt. */
export function retryPolicy(options: RetryOptions | false = {}): RetryPolicy {
  return options === false ? { ...DEFAULTS, attempts: 1 } : { ...DEFAULTS, ...options };
}

/**
 * Returns how many milliseconds to wait after attempt number `attempt` (from 1) failed with `error`; undefined if the
 * request must not be repeated. Any request is repeated after a 429 or a 503, because a refused request changed nothing.
 * If the request may have been carried out (no response, another 5xx, or a 409 while it is in progress), it is repeated
 * only if it is `repeatable`, so that it takes effect once.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.attempts || !(error instanceof VitrineError) || !isTemporary(error, repeatable)) {
    return undefined;
  }
  const jitter = policy.baseDelayMs * random();
  if (error.retryAfter !== undefined) {
    const wait = error.retryAfter * 1000;
    return wait > policy.maxRetryAfterMs ? undefined : wait + jitter;
  }
  const longest = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  return longest / 2 + (longest / 2) * random();
}

function isTemporary({ code, status }: VitrineError, repeatable: boolean): boolean {
  if (status === 429 || status === 503) return true;
  // Without room, the next attempt fails too.
  if (status === 507) return false;
  return repeatable && (code === 'network' || code === 'conflict' || (status !== undefined && status >= 500));
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as unknown);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
