import { Module } from '@nestjs/common';
import { CollectionsModule as DomainCollectionsModule } from '@vitrine/domain';
import { CollectionsController } from './collections.controller';

/** Routes of saved posts and collections. */
@Module({ imports: [DomainCollectionsModule], controllers: [CollectionsController] })
export class CollectionsModule {}
