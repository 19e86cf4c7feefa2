import { Module } from '@nestjs/common';
import { HttpObservationModule, RuntimeModule } from '@vitrine/runtime';
import { AccountsModule } from '../accounts/accounts.module';
import { AdminModule } from '../admin/admin.module';
import { BlockingModule } from '../blocking/blocking.module';
import { CommentsModule } from '../comments/comments.module';
import { DevelopersModule } from '../developers/developers.module';
import { DiscoveryModule } from '../discovery/discovery.module';
import { FeedModule } from '../feed/feed.module';
import { GuestsModule } from '../guests/guests.module';
import { PeopleModule } from '../people/people.module';
import { PostEditingModule } from '../post-editing/post-editing.module';
import { ModerationModule } from '../moderation/moderation.module';
import { FollowsModule } from '../follows/follows.module';
import { MediaModule } from '../media/media.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OembedModule } from '../oembed/oembed.module';
import { PostsModule } from '../posts/posts.module';
import { ProvidersModule } from '../providers/providers.module';
import { PreferencesModule } from '../preferences/preferences.module';
import { RenderingModule } from '../rendering/rendering.module';
import { ReportsModule } from '../reports/reports.module';
import { SettingsModule } from '../settings/settings.module';
import { SearchModule } from '../search/search.module';
import { SyndicationModule } from '../syndication/syndication.module';
import { TagsModule } from '../tags/tags.module';
import { UploadModule } from '../upload/upload.module';
import { VisitsModule } from '../visits/visits.module';

/** The website: a client of the public API, with one folder for each feature. */
@Module({
  imports: [
    RuntimeModule,
    HttpObservationModule,
    VisitsModule,
    RenderingModule,
    AccountsModule,
    ProvidersModule,
    CommentsModule,
    DevelopersModule,
    DiscoveryModule,
    FeedModule,
    // Before the module of profiles, for the same reason as syndication.
    BlockingModule,
    // Before the modules of profiles: their tabs have paths of the same form.
    SyndicationModule,
    GuestsModule,
    NotificationsModule,
    PeopleModule,
    PostEditingModule,
    ModerationModule,
    AdminModule,
    PostsModule,
    PreferencesModule,
    ReportsModule,
    SettingsModule,
    SearchModule,
    TagsModule,
    UploadModule,
    MediaModule,
    OembedModule,
    FollowsModule,
  ],
})
export class WebsiteModule {}
