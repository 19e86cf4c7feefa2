import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostEntity } from './post.entity';
import { PostRepository } from './post.repository';
import { PostsService } from './posts.service';

/** Posts: their rows, rules and use cases. */
@Module({
  imports: [TypeOrmModule.forFeature([PostEntity])],
  providers: [PostRepository, PostsService],
  exports: [PostsService],
})
export class PostsModule {}
