import { Module } from '@nestjs/common';
import { AccountRulingsModule, Relisting, ReviewModule, ReportsModule } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { AccountRulingsController } from './account-rulings.controller';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
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
  providers: [
    // Puts the things of accounts into the feeds, or takes them out, after a restriction has begun or ended.
    provideSweep(
      'restricted accounts',
      Relisting,
      async (relisting, mayContinue) => ({ relisted: await relisting.runDue(mayContinue) }),
      { intervalSeconds: 5, startsAtOnce: true },
    ),
  ],
})
export class ModerationModule {}
