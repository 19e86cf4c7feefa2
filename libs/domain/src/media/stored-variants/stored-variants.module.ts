import { Module } from '@nestjs/common';
import { AlternativesRepository } from './alternatives.repository';
import { Alternatives } from './alternatives.service';
import { MediaRowsModule } from '../rows/media-rows.module';
import { VariantRetentionRepository } from './variant-retention.repository';
import { VariantRetention } from './variant-retention.service';

/** Which variants and alternatives are stored: made when there is time or a reader, and removed if nobody requests them. */
@Module({
  imports: [MediaRowsModule],
  providers: [Alternatives, AlternativesRepository, VariantRetention, VariantRetentionRepository],
  exports: [Alternatives, VariantRetention],
})
export class StoredVariantsModule {}
