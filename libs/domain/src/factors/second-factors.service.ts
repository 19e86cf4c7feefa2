import { Injectable } from '@nestjs/common';
import type { SecondFactor } from '@vitrine/contracts';
import { SecondFactorRepository } from './second-factor.repository';

/** Which second factors accounts have. */
@Injectable()
export class SecondFactorsService {
  constructor(private readonly repository: SecondFactorRepository) {}

  /** What the second step of a login accepts; empty if the account has no second factor. */
  async findAccepted(userId: number): Promise<readonly SecondFactor[]> {
    const { app, passkeys, recoveryCodes } = await this.repository.count(userId);
    if (!app && passkeys === 0) return [];
    return [
      ...(app ? (['app'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery-code'] as const) : []),
    ];
  }
}
