import { Resolver } from 'node:dns/promises';
import { Injectable, Optional } from '@nestjs/common';
import { isPublicAddress } from './destination.rules';

/** The network that the sender uses: it resolves names and decides which addresses are public. */
@Injectable()
export class WebhookNetwork {
  readonly names: Resolver;

  /** By default names are resolved by DNS only, without the system's files and search domains. */
  constructor(@Optional() names?: Resolver) {
    this.names = names ?? new Resolver({ timeout: 2_000, tries: 2 });
  }

  isPublic(address: string): boolean {
    return isPublicAddress(address);
  }
}
