import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { provideConfig } from '@vitrine/runtime';
import { ProcessingShareConfig } from './processing-share.config';
import { ProcessingTurnsRepository } from './processing-turns.repository';
import { ProcessingTurns } from './processing-turns.service';
import { UploadCounts } from './upload-counts.service';
import { UploadCountRepository } from './upload-count.repository';

/** The turns of uploaders at the media-processors, and their uploads of the day. */
@Module({
  imports: [OutboxModule],
  providers: [
    provideConfig(ProcessingShareConfig),
    ProcessingTurns,
    ProcessingTurnsRepository,
    UploadCountRepository,
    UploadCounts,
  ],
  exports: [ProcessingTurns, UploadCounts],
})
export class ProcessingTurnsModule {}
