import { VitrineError } from './vitrine-error';

/** How often, and how patiently, a request is made again. */
export interface RetryOptions {
  /** Tries in all; 4 where absent. */
  readonly attempts?: number;
  /** Milliseconds before the second try; doubled for each further one. 300 where absent. */
  readonly baseDelayMs?: number;
  /** The longest pause of one's own accord, in milliseconds; 10,000 where absent. */
  readonly maxDelayMs?: number;
  /** The longest `Retry-After` that is waited out, in milliseconds; a longer one is an error at once. 60,000 where absent. */
  readonly maxRetryAfterMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

const DEFAULTS: RetryPolicy = { attempts: 4, baseDelayMs: 300, maxDelayMs: 10_000, maxRetryAfterMs: 60_000 };

/** `false` stands for a single try. */
export function retryPolicy(options: RetryOptions | false = {}): RetryPolicy {
  return options === false ? { ...DEFAULTS, attempts: 1 } : { ...DEFAULTS, ...options };
}

/**
 * Milliseconds to wait after the try number `attempt` (from 1) failed with `error`; undefined where it is no use.
 * A refusal by a limit (429), or because the service is away (503), changed nothing and is repeated for any request.
 * Whatever leaves open if the request was carried out (no answer, another 5xx, a 409 for one that is still being
 * carried out) is repeated only where doing it twice does it once: `repeatable`.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= policy.attempts || !(error instanceof VitrineError) || !isPassing(error, repeatable)) {
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

function isPassing({ code, status }: VitrineError, repeatable: boolean): boolean {
  if (status === 429 || status === 503) return true;
  return repeatable && (code === 'network' || code === 'conflict' || (status !== undefined && status >= 500));
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
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
