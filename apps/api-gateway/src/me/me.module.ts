import { Module } from '@nestjs/common';
import {
  AccountErasureModule,
  MediaModule,
  NotificationsModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AccountErasureSweep } from './account-erasure.sweep';
import { MeController } from './me.controller';

@Module({
  imports: [UsersModule, TokensModule, AccountErasureModule, NotificationsModule, MediaModule],
  controllers: [MeController],
  providers: [AccountErasureSweep],
})
export class MeModule {}
