import { Module } from '@nestjs/common';
import { MediaModule, PostsModule, ProfilesModule } from '@vitrine/domain';
import { UsersController } from './users.controller';

/** Public profiles of accounts. */
@Module({ imports: [ProfilesModule, PostsModule, MediaModule], controllers: [UsersController] })
export class UsersModule {}
