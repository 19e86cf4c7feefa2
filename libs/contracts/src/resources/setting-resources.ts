import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from './nullable';

/** A setting in effect in a process. */
export class SettingResource {
  @ApiProperty({ example: 'api-gateway' })
  process!: string;

  @ApiProperty({
    type: [String],
    example: ['api-gateway-5d8f9/7'],
    description: 'The replicas of the process that have this value: the host and the number of the process.',
  })
  instances!: string[];

  @ApiProperty({ example: 'RATE_LIMIT_PUBLIC_PER_MINUTE', description: 'Name of the environment variable.' })
  name!: string;

  @ApiProperty({ description: 'The purpose of the setting, with its unit.' })
  description!: string;

  @ApiProperty({ example: false, description: 'Whether its value is never shown.' })
  secret!: boolean;

  @ApiProperty({ description: 'Whether it has a value, its default included.' })
  set!: boolean;

  @NullableText('Null for a secret.', { example: '30' })
  value!: string | null;
}
