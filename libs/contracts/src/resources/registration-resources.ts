import { ApiProperty } from '@nestjs/swagger';
import {
  INVITE_STATES,
  INVITERS,
  type Inviters,
  type InviteState,
  PROOF_PURPOSES,
  type ProofPurpose,
  REGISTRATION_MODES,
  type RegistrationMode,
} from '../vocabulary/accounts';
import { ProviderResource } from './provider-resources';
import { NullableText } from './nullable';

/** The rules of a site about who may register. */
export class SiteResource {
  @ApiProperty({
    enum: REGISTRATION_MODES,
    description:
      '`open`: everyone can register. `approval`: people need an invite, or must apply (`POST /auth/apply`). `invite`: people need an invite. `closed`: nobody can register.',
  })
  registration!: RegistrationMode;

  @ApiProperty({ description: 'Whether visitors without an account can upload on the website.' })
  guest_uploads!: boolean;

  @ApiProperty({ description: 'Whether `POST /media/url` on the upload host fetches files from addresses.' })
  upload_by_url!: boolean;

  @ApiProperty({
    enum: INVITERS,
    description: 'Who can create invites: moderators and admins, or all members.',
  })
  invites_by!: Inviters;

  @ApiProperty({
    description: 'Whether registering, applying and becoming a guest need the field `proof_of_work`.',
  })
  proof_of_work!: boolean;

  @ApiProperty({ description: 'Whether people can log in and register with a password.' })
  password_login!: boolean;

  @ApiProperty({ type: ProviderResource, isArray: true, description: 'The identity providers of the site.' })
  providers!: readonly ProviderResource[];

  @ApiProperty({
    description:
      'Whether the site sends mails. If not, addresses can’t be verified, and only the operator can help with a forgotten password.',
  })
  sends_mail!: boolean;
}

/** What a challenge was made for. */
export class ProofDataResource {
  @ApiProperty({ enum: PROOF_PURPOSES })
  purpose!: ProofPurpose;

  @ApiProperty({ type: 'integer', description: 'The number to find is smaller than this.', example: 100000 })
  difficulty!: number;
}

/** The parameters of a challenge, as ALTCHA defines them. */
export class ProofParametersResource {
  @ApiProperty({ enum: ['SHA-256'] })
  algorithm!: string;

  @ApiProperty({ type: 'integer', description: 'How often the hash function is applied.', example: 1 })
  cost!: number;

  @ApiProperty({ type: ProofDataResource })
  data!: ProofDataResource;

  @ApiProperty({ type: 'integer', description: 'When the challenge ends, in seconds since 1970.' })
  expiresAt!: number;

  @ApiProperty({ type: 'integer', example: 32 })
  keyLength!: number;

  @ApiProperty({
    description: 'How the hash must begin, in hexadecimal.',
    example: '4f6c1f0a77d2d1a5b07f34a3e1f7c9d2',
  })
  keyPrefix!: string;

  @ApiProperty({ description: 'Hexadecimal.', example: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' })
  nonce!: string;

  @ApiProperty({ description: 'Hexadecimal.', example: '00112233445566778899aabbccddeeff' })
  salt!: string;
}

/** A challenge. Send it back unchanged, with its solution. */
export class ProofChallengeResource {
  @ApiProperty({ type: ProofParametersResource })
  parameters!: ProofParametersResource;

  @ApiProperty({ description: 'Hexadecimal.' })
  signature!: string;
}

/** An invite, without its code. */
export class InviteResource {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ enum: INVITE_STATES })
  state!: InviteState;

  @ApiProperty({ type: 'integer', description: 'Total number of accounts that can be created with it.' })
  uses!: number;

  @ApiProperty({ type: 'integer', description: 'Number of accounts that have been created with it.' })
  used!: number;

  @NullableText()
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

  @ApiProperty({ description: 'The text that the applicant wrote.' })
  application!: string;

  @NullableText('Not verified.', { format: 'email' })
  email!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
