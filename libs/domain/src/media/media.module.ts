import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/outbox';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { DecisionLogModule } from '../decisions/decision-log.module';
import { FeedsModule } from '../feeds/feeds.module';
import { QuotasModule } from '../quotas/quotas.module';
import { PostMediaModule } from '../post-media/post-media.module';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../authors/authors.module';
import { RelationsModule } from '../relations/relations.module';
import { AlternativesRepository } from './alternatives.repository';
import { Alternatives } from './alternatives.service';
import { LinkedMediaRepository } from './linked-media.repository';
import { MediaEntity } from './media.entity';
import { MediaDecisions } from './media-decisions.service';
import { MediaDeletion } from './media-deletion.service';
import { MediaEditing } from './media-editing.service';
import { MediaFiles } from './media-files.service';
import { MediaListings } from './media-listings.service';
import { MediaLocks } from './media-locks.service';
import { MediaReading } from './media-reading.service';
import { MediaUploads } from './media-uploads.service';
import { MediaProcessingService } from './media-processing.service';
import { MediaViewRepository } from './media-view.repository';
import { MediaRepository } from './media.repository';
import { MediaStatuses } from './media-statuses';
import { ProcessingShareConfig } from './processing-share.config';
import { ProcessingTurnsRepository } from './processing-turns.repository';
import { ProcessingTurns } from './processing-turns.service';
import { ServedMediaRepository } from './served-media.repository';
import { SharedFilesRepository } from './shared-files.repository';
import { SharedFiles } from './shared-files.service';
import { UploadCountRepository } from './upload-count.repository';
import { VariantRetentionRepository } from './variant-retention.repository';
import { VariantRetention } from './variant-retention.service';

/** Media: their rows, rules and use cases. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MediaEntity]),
    OutboxModule,
    DecisionLogModule,
    PostMediaModule,
    QuotasModule,
    AuthorsModule,
    RelationsModule,
    TagsModule,
    FeedsModule,
  ],
  providers: [
    Alternatives,
    AlternativesRepository,
    MediaDecisions,
    MediaDeletion,
    MediaEditing,
    MediaFiles,
    MediaListings,
    MediaLocks,
    MediaReading,
    MediaUploads,
    MediaStatuses,
    MediaProcessingService,
    ProcessingTurns,
    ProcessingTurnsRepository,
    provideConfig(ProcessingShareConfig),
    MediaRepository,
    LinkedMediaRepository,
    MediaViewRepository,
    ServedMediaRepository,
    SharedFiles,
    SharedFilesRepository,
    UploadCountRepository,
    VariantRetention,
    VariantRetentionRepository,
    provideConfig(PublicUrlsConfig),
  ],
  exports: [
    Alternatives,
    MediaDecisions,
    MediaDeletion,
    MediaEditing,
    MediaFiles,
    MediaListings,
    MediaLocks,
    MediaReading,
    MediaUploads,
    MediaProcessingService,
    ProcessingTurns,
    SharedFiles,
    VariantRetention,
    PublicUrlsConfig,
  ],
})
export class MediaModule {}
