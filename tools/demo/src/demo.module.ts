import { Module } from '@nestjs/common';
import {
  AdmissionModule,
  AuditLogModule,
  BannedHashesModule,
  CommentsModule,
  FollowsModule,
  MediaModule,
  PostsModule,
  ProfilesModule,
  UsersModule,
} from '@vitrine/domain';
import { PublicUrlsModule } from '@vitrine/runtime';
import { StorageModule } from '@vitrine/storage';
import { DemoDatesRepository } from './demo-dates.repository';
import { DemoSite } from './demo-site';
import { DemoUploads } from './demo-uploads';

/** Makes a small, realistic site with the domain's services, in the database of the context. */
@Module({
  imports: [
    PublicUrlsModule,
    StorageModule,
    AdmissionModule,
    AuditLogModule,
    BannedHashesModule,
    UsersModule,
    MediaModule,
    PostsModule,
    ProfilesModule,
    CommentsModule,
    FollowsModule,
  ],
  providers: [DemoUploads, DemoDatesRepository, DemoSite],
  exports: [DemoSite],
})
export class DemoModule {}
