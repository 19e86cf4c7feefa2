import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostEntity } from './post.entity';
import { PostRepository } from './post.repository';

/** The rows of posts; separate from `PostsModule` because media and what is derived from them change these rows too. */
@Module({
  imports: [TypeOrmModule.forFeature([PostEntity])],
  providers: [PostRepository],
  exports: [PostRepository],
})
export class PostRowsModule {}
