import { Module } from '@nestjs/common';
import { MediaModule, PostsModule, ProfilesModule } from '@vitrine/domain';
import { UsersController } from './users.controller';

/** Accounts as others see them. */
@Module({ imports: [ProfilesModule, PostsModule, MediaModule], controllers: [UsersController] })
export class UsersModule {}
