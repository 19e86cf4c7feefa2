import { Module } from '@nestjs/common';
import { MediaModule, ProfilesModule } from '@vitrine/domain';
import { UsersController } from './users.controller';

/** Accounts as others see them. */
@Module({ imports: [ProfilesModule, MediaModule], controllers: [UsersController] })
export class UsersModule {}
