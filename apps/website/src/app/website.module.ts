import { Module } from '@nestjs/common';
import { HttpObservationModule, RuntimeModule } from '@vitrine/runtime';
import { AccountLinksController } from '../accounts/account-links.controller';
import { AccountsController } from '../accounts/accounts.controller';
import { SecondFactorController } from '../accounts/second-factor.controller';
import { AdminModule } from '../admin/admin.module';
import { BlockingController } from '../blocking/blocking.controller';
import { CollectionsController } from '../collections/collections.controller';
import { CommentsController } from '../comments/comments.controller';
import { ApiDocuments } from '../developers/api-documents';
import { DevelopersController } from '../developers/developers.controller';
import { DiscoveryController } from '../discovery/discovery.controller';
import { IconsController } from '../discovery/icons.controller';
import { SitemapController } from '../discovery/sitemap.controller';
import { FeedController } from '../feed/feed.controller';
import { FilesController } from '../files/files.controller';
import { FollowsController } from '../follows/follows.controller';
import { GuestsController } from '../guests/guests.controller';
import { EmbedController } from '../media/embed.controller';
import { MediaController } from '../media/media.controller';
import { AccountController } from '../moderation/account.controller';
import { ApplicationsController } from '../moderation/applications.controller';
import { DecisionsController } from '../moderation/decisions.controller';
import { HashesController } from '../moderation/hashes.controller';
import { QueueController } from '../moderation/queue.controller';
import { Rulings } from '../moderation/rulings';
import { SubjectController } from '../moderation/subject.controller';
import { NotificationsController } from '../notifications/notifications.controller';
import { OembedController } from '../oembed/oembed.controller';
import { OperatorPagesController } from '../operator-pages/operator-pages.controller';
import { PeopleController } from '../people/people.controller';
import { MediaEditingController } from '../post-editing/media-editing.controller';
import { PostEditingController } from '../post-editing/post-editing.controller';
import { PostArchives } from '../posts/post-archives';
import { PostsController } from '../posts/posts.controller';
import { PreferencesController } from '../preferences/preferences.controller';
import { LinkedProvidersController } from '../providers/linked-providers.controller';
import { ProvidersController } from '../providers/providers.controller';
import { ReportsController } from '../reports/reports.controller';
import { SearchController } from '../search/search.controller';
import { AvatarController } from '../settings/avatar.controller';
import { InvitesController } from '../settings/invites.controller';
import { SecurityController } from '../settings/security.controller';
import { SessionsController } from '../settings/sessions.controller';
import { SettingsController } from '../settings/settings.controller';
import { TokensController } from '../settings/tokens.controller';
import { WebhooksController } from '../settings/webhooks.controller';
import { SyndicationController } from '../syndication/syndication.controller';
import { TagsController } from '../tags/tags.controller';
import { UploadController } from '../upload/upload.controller';
import { RenderingModule } from '../rendering/rendering.module';
import { VisitsModule } from '../visits/visits.module';

/**
 * The website: a client of the public API, with one folder for each feature. The router tries the controllers in this order.
 */
@Module({
  imports: [RuntimeModule, HttpObservationModule, VisitsModule, RenderingModule, AdminModule],
  controllers: [
    AccountsController,
    AccountLinksController,
    SecondFactorController,
    ProvidersController,
    LinkedProvidersController,
    CollectionsController,
    CommentsController,
    DevelopersController,
    DiscoveryController,
    IconsController,
    SitemapController,
    FeedController,
    // Before the profiles, whose tabs have paths of the same form.
    BlockingController,
    SyndicationController,
    GuestsController,
    NotificationsController,
    OperatorPagesController,
    PeopleController,
    PostEditingController,
    MediaEditingController,
    QueueController,
    DecisionsController,
    HashesController,
    SubjectController,
    AccountController,
    ApplicationsController,
    PostsController,
    PreferencesController,
    ReportsController,
    TokensController,
    WebhooksController,
    InvitesController,
    AvatarController,
    SecurityController,
    SessionsController,
    SettingsController,
    SearchController,
    TagsController,
    FilesController,
    UploadController,
    MediaController,
    EmbedController,
    OembedController,
    FollowsController,
  ],
  providers: [ApiDocuments, PostArchives, Rulings],
})
export class WebsiteModule {}
