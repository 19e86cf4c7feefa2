import { ApiProperty } from '@nestjs/swagger';
import { StorageUseResource } from './account-resources';

/** What was stored and deleted on one day. */
export class StorageDayResource {
  @ApiProperty({ format: 'date', example: '2026-11-24', description: 'In UTC.' })
  day!: string;

  @ApiProperty({ type: 'integer', example: 12, description: 'Files added, minus files deleted.' })
  files!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of originals added, minus those deleted.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of variants added, minus those deleted.' })
  variant_bytes!: number;
}

/** What all media of one kind store together. */
export class StoredKindResource {
  @ApiProperty({ enum: ['image', 'video'] })
  kind!: 'image' | 'video';

  @ApiProperty({ type: 'integer', description: 'Number of files, without their variants.' })
  files!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the originals.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the variants.' })
  variant_bytes!: number;
}

/** An account or a guest that stores much. */
export class LargeAccountResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({ description: 'Whether it is a guest.' })
  guest!: boolean;

  @ApiProperty({ type: 'integer', description: 'Bytes of the variants, which don’t count for quotas.' })
  variant_bytes!: number;

  @ApiProperty({ type: StorageUseResource })
  storage!: StorageUseResource;
}

/** The use of the storage. */
export class StorageOverviewResource {
  @ApiProperty({ type: 'integer', description: 'Number of files, without their variants.' })
  files!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the originals.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the variants.' })
  variant_bytes!: number;

  @ApiProperty({ type: [StoredKindResource], description: 'The same numbers for images and for videos.' })
  kinds!: StoredKindResource[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description:
      'The largest total of bytes of originals and variants; uploads that would exceed it are refused. Null: no limit.',
  })
  bytes_limit!: number | null;

  @ApiProperty({
    type: [StorageDayResource],
    description:
      'The latest 90 days, oldest first, today last. For days before the first release with this page, all numbers are 0.',
  })
  days!: StorageDayResource[];

  @ApiProperty({
    type: [LargeAccountResource],
    description: 'The 20 accounts and guests with the most bytes of originals, largest first.',
  })
  largest_accounts!: LargeAccountResource[];
}
