import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/sha';
import type { Challenge } from 'altcha-lib/types';

/** Longer than any challenge takes; a challenge ends after ten minutes. */
const PATIENCE_MS = 600_000;

/** Browsers compute hashes only on pages over HTTPS. */
const NEEDS_HTTPS = 'Your browser can do this step only over HTTPS.';
const FAILED = 'This step failed. Please try again.';

/**
 * Solves a challenge of the site, and returns the text to send with the request that needs it. Takes some seconds, in
 * which the page stays usable. Throws an `Error` with a sentence for the visitor. ALTCHA's own widget is ten times as large
 * and sets inline styles, which the Content-Security-Policy forbids.
 */
export async function proofOfWork(purpose: string): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle) throw new Error(NEEDS_HTTPS);
  const response = await fetch(`/proof-of-work?purpose=${encodeURIComponent(purpose)}`, {
    headers: { Accept: 'application/json' },
  }).catch(() => undefined);
  if (!response?.ok) throw new Error(FAILED);
  const challenge = (await response.json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey, timeout: PATIENCE_MS });
  if (!solution) throw new Error(FAILED);
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
}
