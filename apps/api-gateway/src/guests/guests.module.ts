import { Module } from '@nestjs/common';
import { AccountErasureModule, GuestsService, MediaModule, PostsModule, UsersModule } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { GuestController } from './guest.controller';
import { UploadTicketsController } from './upload-tickets.controller';

/** Upload tickets, and guests. */
@Module({
  imports: [UsersModule, AccountErasureModule, MediaModule, PostsModule],
  controllers: [UploadTicketsController, GuestController],
  providers: [
    // Deletes guests that own nothing any longer.
    provideSweep(
      'guests who left nothing',
      GuestsService,
      async (guests, mayContinue) => ({ forgotten: await guests.review(mayContinue) }),
      { intervalSeconds: 600, startsAtOnce: true },
    ),
  ],
})
export class GuestsModule {}
