import type { SecondFactorRequiredResource, SessionResource } from '@vitrine/contracts/api';
import type { LoginResult, OpenedSession, SecondFactorRequired } from '@vitrine/domain';
import { presentAccount } from './user.presenter';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';

/** The resource of a new session. */
export const presentSession = (
  message: string,
  { account, secret, expiresAt, deviceToken }: OpenedSession,
  urls: PublicUrlsConfig,
): SessionResource => ({
  message,
  user: presentAccount(account, urls),
  session: secret,
  expires_at: expiresAt.toISOString(),
  device: deviceToken,
});

/** The resource of a login that waits for the second factor. */
export const presentPending = ({
  secret,
  accepted,
  expiresAt,
}: SecondFactorRequired): SecondFactorRequiredResource => ({
  message: 'The second factor of this account is required.',
  pending_login: secret,
  accepted,
  expires_at: expiresAt.toISOString(),
});

/** The answer to a login: 200 with the session, or 202 if the account's second factor is required. */
export function answerLogin(
  result: LoginResult,
  response: Response,
  urls: PublicUrlsConfig,
): SessionResource | SecondFactorRequiredResource {
  if (result.outcome === 'session') return presentSession('Logged in.', result.session, urls);
  response.status(202);
  return presentPending(result.pending);
}
