import { Injectable } from '@nestjs/common';
import { AccountErasure } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';

/** Finishes erasures of deleted accounts that another request or process has started. */
@Injectable()
export class AccountErasureSweep extends Sweep {
  readonly name = 'deleted accounts';
  readonly intervalSeconds = 20;
  override readonly jitter = 0.5;

  constructor(private readonly erasure: AccountErasure) {
    super();
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly erased: number }> {
    return { erased: await this.erasure.eraseLeftBehind(mayContinue) };
  }
}
