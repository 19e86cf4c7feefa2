import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS, type AuditAction, type AuditSubject } from '../vocabulary/audit';
import { NullableText } from './nullable';

/** One entry of the audit log. */
export class AuditEntryResource {
  @ApiProperty({ type: 'integer', example: 42 })
  id!: number;

  @NullableText(
    'Username of the account that acted; it is kept when the account is deleted. Null for the operator on the command line, and for a role that an identity provider gave: `detail.by` names it.',
    { example: 'ada' },
  )
  actor!: string | null;

  @ApiProperty({ enum: AUDIT_ACTIONS })
  action!: AuditAction;

  @ApiProperty({ enum: AUDIT_SUBJECTS, example: 'user' })
  subject_type!: AuditSubject;

  @ApiProperty({ example: 'bob', description: 'Its name at that time: a username, a slug, an id or a hash.' })
  subject!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { from: 'user', to: 'moderator' },
    description:
      'Further values, which depend on the action. For rulings, those of the decision, with the note.',
  })
  detail!: Record<string, unknown> | null;

  @NullableText(
    'IP address from which the account acted. Null for the operator, if the address is unknown, and when the account has been deleted.',
    { example: '203.0.113.7' },
  )
  address!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
