import { Module } from '@nestjs/common';
import { RuntimeModule } from '@vitrine/runtime';
import { AccountsModule } from './accounts/accounts.module';
import { CommentsModule } from './comments/comments.module';
import { DiscoveryModule } from './discovery/discovery.module';
import { FeedModule } from './feed/feed.module';
import { PostEditingModule } from './post-editing/post-editing.module';
import { PostsModule } from './posts/posts.module';
import { RenderingModule } from './rendering/rendering.module';
import { ReportsModule } from './reports/reports.module';
import { VisitsModule } from './visits/visits.module';

/** The web site: a client of the public API, a folder a feature. */
@Module({
  imports: [
    RuntimeModule,
    VisitsModule,
    RenderingModule,
    AccountsModule,
    CommentsModule,
    DiscoveryModule,
    FeedModule,
    PostEditingModule,
    PostsModule,
    ReportsModule,
  ],
})
export class WebsiteModule {}
