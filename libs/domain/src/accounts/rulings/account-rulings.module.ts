import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AccountStatesModule } from '../states/account-states.module';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { MediaModule } from '../../media/items/media.module';
import { PostMediaModule } from '../../posts/rows/post-media.module';
import { ReportsModule } from '../../moderation/reports/reports.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
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
