import { ApiProperty } from '@nestjs/swagger';
import {
  PROVIDER_RESULTS,
  type ProviderResult,
  SECOND_FACTORS,
  type SecondFactor,
} from '../vocabulary/accounts';
import { AccountResource } from './account-resources';
import { NullableText, NullableTime } from './nullable';

/** An identity provider with which people can log in. */
export class ProviderResource {
  @ApiProperty({ example: 'example', description: 'Its name in paths.' })
  name!: string;

  @ApiProperty({ example: 'Example' })
  title!: string;
}

/** The response to beginning a login at a provider. */
export class ProviderLoginStartResource {
  @ApiProperty({
    format: 'uri',
    description: 'Where the person logs in. The provider sends them back to the website.',
  })
  url!: string;

  @ApiProperty({
    description: 'A secret with which this browser finishes the login; shown only in this response.',
  })
  transaction!: string;

  @ApiProperty({ format: 'date-time', description: 'Ten minutes from now.' })
  expires_at!: string;
}

/** The response to finishing a login at a provider. */
export class ProviderLoginResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    enum: PROVIDER_RESULTS,
    description:
      '`session`: logged in. `second-factor`: the account’s second factor is required; `pending_login` and `accepted` are those of `POST /auth/login`. `newcomer`: no account has this identity; `POST /auth/providers/{name}/register` creates one. `linked`: the account that began it can now log in with the provider.',
  })
  result!: ProviderResult;

  @ApiProperty({ type: AccountResource, nullable: true })
  user!: AccountResource | null;

  @NullableText('Bearer token of the session; shown only in this response.', { example: 'vts_…' })
  session!: string | null;

  @NullableText('Identifies this browser at its next login, as in the response of `POST /auth/login`.')
  device!: string | null;

  @NullableText('Completes the login together with the second factor; shown only in this response.', {
    example: null,
  })
  pending_login!: string | null;

  @ApiProperty({ enum: SECOND_FACTORS, isArray: true, description: 'What completes the login.' })
  accepted!: readonly SecondFactor[];

  @NullableText('A secret with which a newcomer creates an account; shown only in this response.')
  registration!: string | null;

  @NullableText('What the provider calls the newcomer. The name may be taken.', { example: 'ada' })
  suggested_username!: string | null;

  @NullableTime('When `session`, `pending_login` or `registration` ends.')
  expires_at!: string | null;
}

/** The response to creating an account with a provider. */
export class ProviderAccountResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    type: AccountResource,
    nullable: true,
    description: 'Null while staff must decide on the application.',
  })
  user!: AccountResource | null;

  @NullableText(
    'Bearer token of the session; shown only in this response. Null while staff must decide on the application.',
    { example: 'vts_…' },
  )
  session!: string | null;

  @NullableText('Identifies this browser at its next login, as in the response of `POST /auth/login`.')
  device!: string | null;

  @NullableTime()
  expires_at!: string | null;
}

/** A provider that is linked to the caller's account. */
export class IdentityResource {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @NullableText('The name of the provider; null if the site no longer has it.', { example: 'example' })
  provider!: string | null;

  @ApiProperty({ example: 'Example' })
  title!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @NullableTime('The last login with it.')
  last_used_at!: string | null;
}

/** The response to logging out. */
export class LogoutResource {
  @ApiProperty()
  message!: string;

  @NullableText(
    'The address at which the user can also log out at the provider that opened this session; null if there is none.',
    { format: 'uri' },
  )
  provider_logout_url!: string | null;
}
