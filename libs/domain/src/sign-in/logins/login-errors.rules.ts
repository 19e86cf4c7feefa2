import { InvalidFieldsError } from '../../base/errors/domain-error';

/** The same message for every failure, so that it doesn't reveal which accounts exist. */
export const wrongLogin = () =>
  new InvalidFieldsError({ login: ['These credentials do not match our records.'] });
