import type { AnswerOf, OpenedSession } from '@vitrine/client';
import type { Visit } from '../visits/visit';
import type { FilledForm } from '../interrupted-forms/interrupted-form';
import { unsentPage } from '../interrupted-forms/interrupted-page';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { exchangeSession } from '../visits/exchange-session';

/** How people log in. */
export type LogInRules = Pick<AnswerOf<'getSite'>['data'], 'password_login' | 'providers'>;

const PASSWORDS: LogInRules = { password_login: true, providers: [] };

/** How people log in; by passwords if the API doesn't answer, so that the page is there when the API is back. */
export const findLogInRules = (visit: Visit): Promise<LogInRules> => visit.api.site().catch(() => PASSWORDS);

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
