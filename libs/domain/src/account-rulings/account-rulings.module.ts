import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AccountStatesModule } from '../account-states/account-states.module';
import { DecisionLogModule } from '../decisions/decision-log.module';
import { FeedsModule } from '../feeds/feeds.module';
import { MediaModule } from '../media/media.module';
import { PostMediaModule } from '../post-media/post-media.module';
import { ReportsModule } from '../reports/reports.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { AccountRulings } from './account-rulings.service';
import { Relisting } from './relisting';

/** Rulings on accounts, and what follows from them for the feeds. */
@Module({
  imports: [
    AccountStatesModule,
    DecisionLogModule,
    FeedsModule,
    MediaModule,
    OutboxModule,
    PostMediaModule,
    ReportsModule,
    TokensModule,
    UsersModule,
  ],
  providers: [AccountRulings, Relisting],
  exports: [AccountRulings, Relisting],
})
export class AccountRulingsModule {}
