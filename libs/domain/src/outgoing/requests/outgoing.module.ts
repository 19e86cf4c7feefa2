import { Module } from '@nestjs/common';
import { OutgoingNetwork } from './outgoing-network';

/** Requests to strangers' servers. */
@Module({ providers: [OutgoingNetwork], exports: [OutgoingNetwork] })
export class OutgoingModule {}
