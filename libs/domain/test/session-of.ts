import type { LoginResult } from '../src/sign-in/logins/login-sessions.service';
import type { OpenedSession } from '../src/accounts/users/users.service';

/** The session of a login that needed no second factor. */
export function sessionOf(result: LoginResult): OpenedSession {
  if (result.outcome !== 'session') throw new Error(`The login ended with ${result.outcome}`);
  return result.session;
}
