import { Module } from '@nestjs/common';
import { DatabaseModule, ProcessSettingsModule } from '@vitrine/database';
import { HttpModule } from '@vitrine/http';
import { provideConfig, RuntimeModule } from '@vitrine/runtime';
import { ApiConfig } from './api.config';
import { AdminModule } from './admin/admin.module';
import { AuthModule } from './auth/auth.module';
import { CollectionsModule } from './collections/collections.module';
import { CommentsModule } from './comments/comments.module';
import { FeedSweepsModule } from './feed-sweeps/feed-sweeps.module';
import { BlockingModule } from './blocking/blocking.module';
import { FollowsModule } from './follows/follows.module';
import { GuestsModule } from './guests/guests.module';
import { MailsModule } from './mails/mails.module';
import { MeModule } from './me/me.module';
import { MediaModule } from './media/media.module';
import { ModerationModule } from './moderation/moderation.module';
import { NotificationsModule } from './notifications/notifications.module';
import { OpenApiModule } from './openapi/openapi.module';
import { PostsModule } from './posts/posts.module';
import { QuotasModule } from './quotas/quotas.module';
import { ProvidersModule } from './providers/providers.module';
import { RegistrationModule } from './registration/registration.module';
import { ReportsModule } from './reports/reports.module';
import { SearchModule } from './search/search.module';
import { SecurityModule } from './security/security.module';
import { TagsModule } from './tags/tags.module';
import { UsersModule } from './users/users.module';
import { VotesModule } from './votes/votes.module';
import { WaitingWorkModule } from './waiting-work/waiting-work.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The public REST API. Its events leave through the outbox, so it needs no bus. */
@Module({
  imports: [
    RuntimeModule,
    DatabaseModule.forService('api-gateway'),
    ProcessSettingsModule.forService('api-gateway'),
    HttpModule,
    // The router tries routes in this order, so the busiest come first.
    MediaModule,
    PostsModule,
    AuthModule,
    MeModule,
    SecurityModule,
    GuestsModule,
    FeedSweepsModule,
    TagsModule,
    UsersModule,
    CollectionsModule,
    SearchModule,
    CommentsModule,
    FollowsModule,
    BlockingModule,
    NotificationsModule,
    VotesModule,
    ReportsModule,
    ModerationModule,
    RegistrationModule,
    QuotasModule,
    ProvidersModule,
    WebhooksModule,
    MailsModule,
    WaitingWorkModule,
    AdminModule,
    OpenApiModule,
  ],
  providers: [provideConfig(ApiConfig)],
})
export class ApiGatewayModule {}
