import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { DecisionLogModule } from '../decisions/decision-log.module';
import { FeedsModule } from '../feeds/feeds.module';
import { QuotasModule } from '../quotas/quotas.module';
import { PostMediaModule } from '../post-media/post-media.module';
import { TokensModule } from '../tokens/tokens.module';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../authors/authors.module';
import { RelationsModule } from '../relations/relations.module';
import { LinkedMediaRepository } from './linked-media.repository';
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
import { MediaRowsModule } from '../media-rows/media-rows.module';
import { MediaStatuses } from './media-statuses';
import { ProcessingTurnsModule } from '../processing-turns/processing-turns.module';
import { ServedMediaRepository } from './served-media.repository';
import { SharedFilesModule } from '../shared-files/shared-files.module';
import { StoredVariantsModule } from '../stored-variants/stored-variants.module';

/** Media: their rows, rules and use cases. */
@Module({
  imports: [
    OutboxModule,
    DecisionLogModule,
    PostMediaModule,
    QuotasModule,
    AuthorsModule,
    RelationsModule,
    TagsModule,
    TokensModule,
    FeedsModule,
    MediaRowsModule,
    ProcessingTurnsModule,
    SharedFilesModule,
    StoredVariantsModule,
  ],
  providers: [
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
    LinkedMediaRepository,
    MediaViewRepository,
    ServedMediaRepository,
  ],
  exports: [
    MediaDecisions,
    MediaDeletion,
    MediaEditing,
    MediaFiles,
    MediaListings,
    MediaLocks,
    MediaReading,
    MediaUploads,
    MediaProcessingService,
    ProcessingTurnsModule,
    SharedFilesModule,
    StoredVariantsModule,
  ],
})
export class MediaModule {}
