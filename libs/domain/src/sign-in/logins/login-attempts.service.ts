import { Injectable } from '@nestjs/common';
import { LoginHistory } from '../history/login-history.service';
import { accountKey, type Attempt, LoginThrottle } from '../../accounts/users/login-throttle';
import type { LoginOrigin } from './login-sessions.service';

/** Counts logins before they are verified, so that guessing is limited. */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly throttle: LoginThrottle,
    private readonly history: LoginHistory,
  ) {}

  /**
   * Counts a login with a password. `userId` is null if no account has the name that was `typed`. Returns how to
   * uncount it after a success. Throws `TooManyRequestsError`.
   */
  async countPassword(
    userId: number | null,
    typed: string,
    origin: LoginOrigin,
  ): Promise<() => Promise<void>> {
    const attempt = await this.attemptOf(userId, typed, origin);
    await this.throttle.countAttempt(attempt);
    return () => this.throttle.forgive(attempt);
  }

  /** As `countPassword`, for a second factor. */
  async countSecondFactor(userId: number, origin: LoginOrigin): Promise<() => Promise<void>> {
    const attempt = await this.attemptOf(userId, '', origin);
    await this.throttle.countSecondFactor(attempt);
    return () => this.throttle.forgiveSecondFactor(attempt);
  }

  private async attemptOf(userId: number | null, typed: string, origin: LoginOrigin): Promise<Attempt> {
    const { client, deviceToken = null } = origin;
    if (userId === null) return { account: `nobody:${typed}`, typed, client };
    const known = await this.history.isKnown(userId, deviceToken);
    return { account: accountKey(userId), typed, client, knownDevice: known ? deviceToken : null };
  }
}
