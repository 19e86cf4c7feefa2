import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaEntity } from './media.entity';
import { MediaRepository } from './media.repository';

/** The rows of media, for the folders that write them. */
@Module({
  imports: [TypeOrmModule.forFeature([MediaEntity])],
  providers: [MediaRepository],
  exports: [MediaRepository],
})
export class MediaRowsModule {}
