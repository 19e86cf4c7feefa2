import { APPLICATION_DECISIONS, type ApplicationDecision } from '../vocabulary/accounts';
import { Choice, Instant, WholeNumber, OptionalText } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** POST /invites */
export class NewInviteRequest {
  @WholeNumber({
    min: 1,
    max: 10_000,
    default: 1,
    description: 'How many accounts can be created with it. Members can allow at most 10.',
  })
  uses?: number;

  @Instant({ description: 'When the invite ends; a week from now by default, at most a year from now.' })
  expires_at?: string;

  @OptionalText({
    max: MAX_LENGTHS.note,
    description: 'A note about the purpose of the invite. Only its creator and staff see it.',
  })
  note?: string | null;
}

/** POST /moderation/applications/<username> */
export class ApplicationDecisionRequest {
  @Choice(APPLICATION_DECISIONS, {
    required: true,
    description: '`decline` removes the account; the username is free again.',
  })
  decision!: ApplicationDecision;

  @OptionalText({
    max: MAX_LENGTHS.reason,
    multiline: true,
    description: 'Stored in the log of decisions.',
  })
  reason?: string | null;
}
