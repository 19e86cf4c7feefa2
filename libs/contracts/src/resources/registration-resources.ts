import { ApiProperty } from '@nestjs/swagger';
import {
  INVITE_STATES,
  INVITERS,
  type Inviters,
  type InviteState,
  REGISTRATION_MODES,
  type RegistrationMode,
} from '../vocabulary/accounts';

/** The rules of a site about who may come in. */
export class SiteResource {
  @ApiProperty({
    enum: REGISTRATION_MODES,
    description:
      '`open`: everyone can register. `approval`: with an invite, or with an application on which staff decide (`POST /auth/apply`). `invite`: only with an invite. `closed`: nobody.',
  })
  registration!: RegistrationMode;

  @ApiProperty({ description: 'Whether visitors without an account can upload on the website.' })
  guest_uploads!: boolean;

  @ApiProperty({
    enum: INVITERS,
    description: 'Who can create invites: moderators and admins, or all members.',
  })
  invites_by!: Inviters;

  @ApiProperty({
    description:
      'Whether the site sends mails. If not, addresses can’t be verified, and only the operator can help with a forgotten password.',
  })
  sends_mail!: boolean;
}

/** An invite, without its code. */
export class InviteResource {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ enum: INVITE_STATES })
  state!: InviteState;

  @ApiProperty({ type: 'integer', description: 'Number of accounts that can be created with it in all.' })
  uses!: number;

  @ApiProperty({ type: 'integer', description: 'Number of accounts that have been created with it.' })
  used!: number;

  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  @ApiProperty({ example: 'ada', description: 'Username of the account that created it.' })
  created_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

/** The answer to creating an invite. */
export class NewInviteResource {
  @ApiProperty({ example: 'Invite created.' })
  message!: string;

  @ApiProperty({ format: 'uri', description: 'The link to send; shown only in this response.' })
  url!: string;

  @ApiProperty({
    description: 'The code in the link, for `POST /auth/register`; shown only in this response.',
  })
  code!: string;

  @ApiProperty({ type: InviteResource })
  invite!: InviteResource;
}

/** An application for an account. */
export class ApplicationResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({ description: 'What the applicant has written.' })
  application!: string;

  @ApiProperty({ type: String, nullable: true, format: 'email', description: 'Not verified.' })
  email!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
