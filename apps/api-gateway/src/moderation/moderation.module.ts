import { Module } from '@nestjs/common';
import { AccountRulingsModule, ReviewModule, ReportsModule } from '@vitrine/domain';
import { AccountRulingsController } from './account-rulings.controller';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
import { RelistingSweep } from './relisting.sweep';
import { RulingsController } from './rulings.controller';

@Module({
  imports: [AccountRulingsModule, ReviewModule, ReportsModule],
  controllers: [
    QueueController,
    RulingsController,
    AccountRulingsController,
    HashesController,
    DecisionsController,
  ],
  providers: [RelistingSweep],
})
export class ModerationModule {}
