import { Logger } from '@nestjs/common';
import { InvalidFieldsError, UnavailableError } from '../../base/errors/domain-error';
import type { ProviderConnection } from '../providers/provider-connection';
import {
  ProviderUnreachableError,
  UnprovedIdentityError,
  UnwantedIdentityError,
} from '../providers/provider-errors';

const logger = new Logger('ProviderLogins');
/** Seconds after which a provider that could not be reached is tried again. */
const RETRY_AFTER = 5;

/** The same message for every login that proves nothing: the log says why. */
export const failedLogin = (title: string) =>
  new InvalidFieldsError({ login: [`The login with ${title} failed. Please start again.`] });

/**
 * Waits for the answer of a provider. Throws `UnavailableError` if the provider can't be reached, and `InvalidFieldsError`
 * on `login` if what came proves nothing or the person may not come in.
 */
export async function answerOf<Result>(
  { settings: { name, title } }: ProviderConnection,
  answer: Promise<Result>,
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderUnreachableError) {
      const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
      logger.warn(`The identity provider ${name} can't be used: ${error.message}${cause}`);
      throw new UnavailableError(RETRY_AFTER);
    }
    if (error instanceof UnprovedIdentityError) {
      logger.log(`A login with the identity provider ${name} was refused: ${error.message}`);
      throw failedLogin(title);
    }
    if (error instanceof UnwantedIdentityError) {
      throw new InvalidFieldsError({
        login: [
          `This site accepts only people with a verified email address of certain domains at ${title}.`,
        ],
      });
    }
    throw error;
  }
}
