import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { OutgoingNetwork } from './outgoing-network';
import { RemoteFiles } from './remote-files';
import { UrlUploadsConfig } from './url-uploads.config';

/** Requests to strangers' servers. */
@Module({
  providers: [provideConfig(UrlUploadsConfig), OutgoingNetwork, RemoteFiles],
  exports: [OutgoingNetwork, RemoteFiles, UrlUploadsConfig],
})
export class OutgoingModule {}
