import { Module } from '@nestjs/common';
import { AccountErasureModule, MediaModule, PostsModule, TokensModule, UsersModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { GuestController } from './guest.controller';
import { GuestReviewSweep } from './guest-review.sweep';
import { UploadTicketsController } from './upload-tickets.controller';

/** Tickets to upload with, and guests. */
@Module({
  imports: [TokensModule, UsersModule, AccountErasureModule, MediaModule, PostsModule],
  controllers: [UploadTicketsController, GuestController],
  providers: [GuestReviewSweep, provideConfig(PublicUrlsConfig)],
})
export class GuestsModule {}
