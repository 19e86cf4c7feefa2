import { ACCOUNT_STATES, type AccountState, ROLES, type Role } from '../vocabulary/accounts';
import { AUDIT_ACTIONS, type AuditAction } from '../vocabulary/audit';
import { Choice, Instant, QueryFlag, Text } from './fields';
import { PageQuery } from './page-queries';
import { ProofRequest } from './security-requests';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** GET /admin/audit-log */
export class AuditLogQuery extends PageQuery {
  @Text({ max: MAX_LENGTHS.username, description: 'Only actions of the account with this username.' })
  actor?: string;

  @QueryFlag({ description: '`1`: only actions of the operator on the command line.' })
  operator?: boolean;

  @Choice(AUDIT_ACTIONS, { description: 'Only this action.' })
  action?: AuditAction;

  @Text({
    max: 200,
    description: 'Only entries about the username, slug, id or hash, matched ignoring case.',
  })
  subject?: string;

  @Instant({ description: 'Only entries at this time or later.' })
  from?: string;

  @Instant({ description: 'Only entries before this time.' })
  to?: string;
}

/** GET /admin/users */
export class PeopleQuery extends PageQuery {
  @Text({
    max: MAX_LENGTHS.email,
    description: 'The beginning of the username, or of the email address if it contains `@`, ignoring case.',
  })
  q?: string;

  @Choice(ACCOUNT_STATES, { description: 'Only accounts in this state.' })
  state?: AccountState;

  @Choice(ROLES, { description: 'Only accounts with this role.' })
  role?: Role;
}

/** PUT /admin/users/<username>/role */
export class RoleRequest extends ProofRequest {
  @Choice(ROLES, { required: true })
  role!: Role;
}

/** DELETE /admin/users/<username> */
export class DeleteUserRequest extends ProofRequest {
  @Text({
    required: true,
    max: MAX_LENGTHS.username,
    description: 'The same username as in the path, so that no account is deleted by mistake.',
  })
  username!: string;

  @Text({
    required: true,
    max: MAX_LENGTHS.deletionReason,
    multiline: true,
    description: 'Stored in the audit log.',
  })
  reason!: string;
}

/** POST /admin/dead-letters */
export class ReplayRequest {
  @Text({ required: true, max: 200, description: 'Name of the queue.' })
  queue!: string;

  @Text({
    nullable: true,
    min: 1,
    max: 300,
    description: 'Id of one dead letter; absent or null: all dead letters of the queue.',
  })
  id?: string | null;
}
