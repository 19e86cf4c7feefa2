import { Module } from '@nestjs/common';
import { AccountErasureModule, MediaModule, UsersModule } from '@vitrine/domain';
import { AccountErasureSweep } from './account-erasure.sweep';
import { MeController } from './me.controller';

@Module({
  imports: [UsersModule, AccountErasureModule, MediaModule],
  controllers: [MeController],
  providers: [AccountErasureSweep],
})
export class MeModule {}
