import { Module } from '@nestjs/common';
import { SharedFilesRepository } from './shared-files.repository';
import { SharedFiles } from './shared-files.service';

/** Originals with equal bytes that are stored once. */
@Module({
  providers: [SharedFiles, SharedFilesRepository],
  exports: [SharedFiles, SharedFilesRepository],
})
export class SharedFilesModule {}
