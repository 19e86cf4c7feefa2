import type { AnswerOf } from '@vitrine/client';
import type { Visit } from '../visits/visit';

/** How people log in. */
export type LogInRules = Pick<AnswerOf<'getSite'>['data'], 'password_login' | 'providers'>;

const PASSWORDS: LogInRules = { password_login: true, providers: [] };

/** How people log in; by passwords if the API doesn't answer, so that the page is there when the API is back. */
export const findLogInRules = (visit: Visit): Promise<LogInRules> => visit.api.site().catch(() => PASSWORDS);
