import { VitrineError } from '@vitrine/client';
import type { Visit } from './visit';

/** The session of a login, and the token by which later logins of this browser are known. */
export interface NewSession {
  readonly session: string;
  readonly device: string | null;
}

/**
 * Gives this browser a new session and ends the one that it had before. If that fails, the old session stays in its
 * account's list and can be ended there.
 */
export async function exchangeSession(visit: Visit, { session, device }: NewSession): Promise<void> {
  if (visit.hasSession) await endSession(visit).catch(() => null);
  visit.beginSession(session, device);
}

/**
 * Ends the visitor's session; it is no error if it had already ended. Returns where the session at the identity
 * provider can be ended too; null if there is none.
 */
export async function endSession(visit: Visit): Promise<string | null> {
  try {
    return await visit.api.auth.logout();
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'unauthenticated')) throw error;
    return null;
  }
}
