import { Module } from '@nestjs/common';
import { RelationRepository } from './relation.repository';
import { RelationsService } from './relations.service';

/** Blocks and mutes, for everything that shows people's things to others. */
@Module({
  providers: [RelationRepository, RelationsService],
  exports: [RelationsService],
})
export class RelationsModule {}
