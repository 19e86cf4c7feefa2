import { type OpenedSession, VitrineError } from '@vitrine/client';
import type { FilledForm } from '../interrupted-forms/interrupted-form';
import { unsentPage } from '../interrupted-forms/interrupted-page';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import type { Visit } from '../visits/visit';

/** What tells the API that this browser has logged in before. */
export const deviceOf = (visit: Visit): { readonly device?: string } =>
  visit.device === undefined ? {} : { device: visit.device };

/** The end of every login: stores the session and shows the form that waited for it, or `next`. */
export async function enter(
  visit: Visit,
  opened: OpenedSession,
  next: string,
  held: FilledForm | null,
): Promise<Page | FormResult> {
  await exchangeSession(visit, opened);
  const { username } = opened.user;
  if (held) return new Page(unsentPage(held, { reason: `You are logged in as ${username}.` }));
  return new FormResult({ goTo: next, notice: `Welcome back, ${username}.` });
}

/**
 * Ends the session that this browser had before. If that fails, the session stays in its account's list and can be
 * ended there.
 */
export async function exchangeSession(visit: Visit, { session, device }: OpenedSession): Promise<void> {
  if (visit.hasSession) await endSession(visit).catch(() => undefined);
  visit.beginSession(session, device);
}

/** Ends the visitor's session. It is no error if the session had already ended. */
export async function endSession(visit: Visit): Promise<void> {
  try {
    await visit.api.auth.logout();
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'unauthenticated')) throw error;
  }
}
