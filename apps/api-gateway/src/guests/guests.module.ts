import { Module } from '@nestjs/common';
import { AccountErasureModule, MediaModule, PostsModule, UsersModule } from '@vitrine/domain';
import { GuestController } from './guest.controller';
import { GuestReviewSweep } from './guest-review.sweep';
import { UploadTicketsController } from './upload-tickets.controller';

/** Upload tickets, and guests. */
@Module({
  imports: [UsersModule, AccountErasureModule, MediaModule, PostsModule],
  controllers: [UploadTicketsController, GuestController],
  providers: [GuestReviewSweep],
})
export class GuestsModule {}
