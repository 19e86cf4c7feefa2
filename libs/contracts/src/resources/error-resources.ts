import { ApiProperty } from '@nestjs/swagger';

/** The body of an error. */
export class ErrorResource {
  @ApiProperty({ description: 'Error message for people.', example: 'Not found.' })
  message!: string;
}

/** 422: the fields of the request that can’t be accepted. */
export class InvalidFieldsResource {
  @ApiProperty({
    description: 'The first error message, and the number of further ones.',
    example: 'The title field must be a string.',
  })
  message!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    description: 'Error messages by field name. The key for an item of a list is `<field>.<index>`.',
    example: { title: ['The title field must be a string.'] },
  })
  errors!: Readonly<Record<string, readonly string[]>>;
}

/** 507: the file does not fit. */
export class InsufficientStorageResource {
  @ApiProperty({
    example: 'Your account has no space left for this file. Delete some of your files to make room.',
  })
  message!: string;

  @ApiProperty({
    enum: ['quota_bytes', 'quota_files', 'storage_full'],
    description:
      '`quota_bytes`: the account or guest has no bytes left. `quota_files`: it has reached its maximum number of files. `storage_full`: the server accepts no uploads at the moment.',
  })
  code!: string;
}

/** 451: the file is banned. */
export class BannedResource {
  @ApiProperty({ example: 'This file matches a banned hash and cannot be uploaded.' })
  error!: string;

  @ApiProperty({
    description: 'The same text as `error`.',
    example: 'This file matches a banned hash and cannot be uploaded.',
  })
  message!: string;
}
