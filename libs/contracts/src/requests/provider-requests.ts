import { NewUsernameRequest } from './auth-requests';
import { Flag, Text, OptionalText } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** The secrets that begin and finish a login are 43 characters. */
const MAX_SECRET = 100;

/** How callers prove again who they are. */
class ConfirmedRequest {
  @Text({
    max: MAX_LENGTHS.password,
    directional: true,
    description:
      'Required if the account has a password. Otherwise you must have logged in within the last 10 minutes.',
  })
  current_password?: string;
}

/** POST /auth/providers/<name>/start */
export class StartProviderLoginRequest {
  @Flag({
    description:
      'If true, the provider asks the person to prove again who they are. Only such a login confirms sensitive changes of an account without a password.',
  })
  fresh?: boolean;
}

/** POST /auth/providers/<name>/finish */
export class FinishProviderLoginRequest {
  @Text({
    required: true,
    max: MAX_SECRET,
    description: '`transaction` of the response that began the login.',
  })
  transaction!: string;

  @Text({
    required: true,
    max: 8192,
    description: 'The query of the callback, unchanged and without its question mark.',
  })
  parameters!: string;

  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /auth/providers/<name>/register */
export class ProviderRegistrationRequest extends NewUsernameRequest {
  @Text({
    required: true,
    max: MAX_SECRET,
    description: '`registration` of the response that finished the login.',
  })
  registration!: string;

  @Text({
    nullable: true,
    max: MAX_LENGTHS.code,
    description: 'The code of an invite, as for `POST /auth/register`.',
  })
  invite?: string | null;

  @OptionalText({
    max: MAX_LENGTHS.application,
    multiline: true,
    description: 'What the applicant writes to the staff, as for `POST /auth/apply`.',
  })
  application?: string | null;

  @Text({
    max: 100,
    description: 'The value of `device` in the response to an earlier login of this browser.',
  })
  device?: string;
}

/** POST /auth/providers/<name>/backchannel-logout */
export class BackchannelLogoutRequest {
  @Text({ required: true, max: 16384, description: 'The logout token, signed by the provider.' })
  logout_token!: string;
}

/** POST /me/identities */
export class LinkProviderRequest extends ConfirmedRequest {
  @Text({ required: true, max: 30, description: 'The `name` of a provider in `GET /site`.' })
  provider!: string;
}

/** DELETE /me/identities/<id> */
export class UnlinkProviderRequest extends ConfirmedRequest {}
