import { Module } from '@nestjs/common';
import { ModerationDeskModule, ReportsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
import { RulingsController } from './rulings.controller';

@Module({
  imports: [ModerationDeskModule, ReportsModule],
  controllers: [QueueController, RulingsController, HashesController, DecisionsController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class ModerationModule {}
