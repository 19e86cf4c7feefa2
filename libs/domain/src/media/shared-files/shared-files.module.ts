import { Module } from '@nestjs/common';
import { MediaRowsModule } from '../rows/media-rows.module';
import { SharedFilesRepository } from './shared-files.repository';
import { SharedFiles } from './shared-files.service';

/** Originals with equal bytes that are stored once. */
@Module({
  imports: [MediaRowsModule],
  providers: [SharedFiles, SharedFilesRepository],
  exports: [SharedFiles],
})
export class SharedFilesModule {}
