import { Module } from '@nestjs/common';
import { CachePurges, CachePurgesModule, MediaModule } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { UploadConfigModule } from '../config/upload-config.module';
import { FilesModule } from '../files/files.module';
import { CachePurgeMetrics, CachePurgeSweep } from './cache-purge-metrics';
import { CachePurgers } from './cache-purgers';
import { Caches } from './caches.service';
import { WithdrawalsConsumer } from './withdrawals.consumer';

/** The caches in front of the file host. */
@Module({
  imports: [CachePurgesModule, FilesModule, MediaModule, UploadConfigModule],
  controllers: [WithdrawalsConsumer],
  providers: [
    CachePurgers,
    CachePurgeMetrics,
    CachePurgeSweep,
    Caches,
    provideSweep('cache purges', CachePurges, async (purges) => ({
      removed: await purges.removeOld(),
    })),
  ],
  exports: [Caches],
})
export class CachesModule {}
