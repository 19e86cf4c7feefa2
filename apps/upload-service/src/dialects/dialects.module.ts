import { Module } from '@nestjs/common';
import { MediaModule, PostsModule, TokensModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { provideConfig } from '@vitrine/runtime';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../config/upload-config.module';
import { IntakeModule } from '../intake/intake.module';
import { DeletionController } from './deletion.controller';
import { DialectUploads } from './dialect-uploads';
import { DialectsConfig } from './dialects.config';
import { ImgurAlbumsController } from './imgur-albums.controller';
import { ImgurForms } from './imgur-forms';
import { ImgurImagesController } from './imgur-images.controller';
import { KeyUploadsController } from './key-uploads.controller';
import { TokenUploadsController } from './token-uploads.controller';

/** The APIs of other image hosts, so that their programs upload here unchanged. */
@Module({
  imports: [
    HttpModule,
    UploadConfigModule,
    IntakeModule,
    MediaModule,
    PostsModule,
    StorageModule,
    TokensModule,
  ],
  controllers: [
    DeletionController,
    ImgurAlbumsController,
    ImgurImagesController,
    KeyUploadsController,
    TokenUploadsController,
  ],
  providers: [provideConfig(DialectsConfig), DialectUploads, ImgurForms],
})
export class DialectsModule {}
