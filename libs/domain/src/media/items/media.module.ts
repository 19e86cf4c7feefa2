import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { RanksModule } from '../../posts/feeds/ranks.module';
import { QuotasModule } from '../../accounts/quotas/quotas.module';
import { PostMediaModule } from '../../posts/rows/post-media.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { TagsModule } from '../../posts/tags/tags.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { RelationsModule } from '../../community/relations/relations.module';
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
import { OwnMedia } from './own-media.service';
import { OwnMediaRepository } from './own-media.repository';
import { MediaViewRepository } from './media-view.repository';
import { MediaRowsModule } from '../rows/media-rows.module';
import { MediaStatuses } from './media-statuses';
import { DeletionHold } from '../rows/deletion-hold.service';
import { PendingFiles } from '../rows/pending-files.service';
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
    RanksModule,
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
    DeletionHold,
    PendingFiles,
    LinkedMediaRepository,
    OwnMedia,
    OwnMediaRepository,
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
    OwnMedia,
    DeletionHold,
    PendingFiles,
    ProcessingTurnsModule,
    SharedFilesModule,
    StoredVariantsModule,
  ],
})
export class MediaModule {}
