import { ApiProperty } from '@nestjs/swagger';

/** A message of the bus whose attempts have all failed, without its contents. */
export class DeadLetterResource {
  @ApiProperty({ example: '17' })
  id!: string;

  @ApiProperty({ example: 'media.variants_stored', description: 'The type of the event.' })
  event!: string;

  @ApiProperty({ example: 'connect ECONNREFUSED', description: 'Why the last attempt failed.' })
  reason!: string;

  @ApiProperty({ type: 'integer', example: 5 })
  attempts!: number;

  @ApiProperty({ format: 'date-time' })
  died_at!: string;
}

/** A queue of the bus. */
export class BusQueueResource {
  @ApiProperty({ example: 'upload-service.media.variants_stored' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Number of waiting messages.' })
  waiting!: number;

  @ApiProperty({ type: 'integer', description: 'Number of dead letters.' })
  dead!: number;

  @ApiProperty({ type: [DeadLetterResource], description: 'The 20 oldest dead letters.' })
  dead_letters!: DeadLetterResource[];

  @ApiProperty({
    format: 'date-time',
    description: 'When a process last checked the queue. Each queue is checked about every ten seconds.',
  })
  reported_at!: string;
}

/** The events that wait for the bus. */
export class OutboxStateResource {
  @ApiProperty({ type: 'integer', description: 'Counted up to 10,000.' })
  waiting!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1,
    description: 'Null if there are no waiting items.',
  })
  oldest_seconds!: number | null;
}

/** Media that wait for their variants. */
export class WaitingMediaResource {
  @ApiProperty({
    example: 'quick',
    description: '`quick` or `long` work, or `behind` the files of other uploaders.',
  })
  line!: string;

  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ type: 'integer', description: 'How long the oldest of them has waited.' })
  oldest_seconds!: number;
}

/** How often media could not be processed for one reason. */
export class ProcessingErrorsResource {
  @ApiProperty({ example: 'The file is damaged.' })
  reason!: string;

  @ApiProperty({ type: 'integer', example: 3 })
  count!: number;
}

/** The pending and failed work of the processes. */
export class WorkResource {
  @ApiProperty({ type: [BusQueueResource] })
  queues!: BusQueueResource[];

  @ApiProperty({ type: OutboxStateResource })
  outbox!: OutboxStateResource;

  @ApiProperty({ type: [WaitingMediaResource] })
  waiting_media!: WaitingMediaResource[];

  @ApiProperty({
    type: [ProcessingErrorsResource],
    description: 'The most frequent errors of the latest 10,000 media that could not be processed.',
  })
  processing_errors!: ProcessingErrorsResource[];
}
