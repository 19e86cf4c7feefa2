import { Module } from '@nestjs/common';
import { CountersModule, MediaModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../upload-config.module';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';
import { MissLimit } from './miss-limit';

/** Strangers' files: nothing in them runs, whatever they pretend to be, and any page may show them. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'Access-Control-Allow-Origin': '*',
} as const;

/** Files out. */
@Module({
  imports: [CountersModule, HttpModule, UploadConfigModule, MediaModule, StorageModule],
  controllers: [FilesController],
  providers: [FilesService, MissLimit],
})
export class FilesModule {}
