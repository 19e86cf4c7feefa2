import { Module } from '@nestjs/common';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { PostsModule } from '../../posts/posts/posts.module';
import { RelationsModule } from '../relations/relations.module';
import { CollectionRepository } from './collection.repository';
import { CollectionsService } from './collections.service';

/** Saved posts and collections. */
@Module({
  imports: [AuthorsModule, PostsModule, RelationsModule],
  providers: [CollectionRepository, CollectionsService],
  exports: [CollectionsService],
})
export class CollectionsModule {}
