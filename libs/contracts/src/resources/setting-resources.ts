import { ApiProperty } from '@nestjs/swagger';

/** A setting in effect. */
export class SettingResource {
  @ApiProperty({ example: 'RATE_LIMIT_PUBLIC_PER_MINUTE', description: 'Name of the environment variable.' })
  name!: string;

  @ApiProperty({ description: 'What it is for, with its unit.' })
  description!: string;

  @ApiProperty({ example: false, description: 'Whether its value is never shown.' })
  secret!: boolean;

  @ApiProperty({ description: 'Whether it has a value, its default included.' })
  set!: boolean;

  @ApiProperty({ type: String, nullable: true, example: '30', description: 'Null for a secret.' })
  value!: string | null;
}
