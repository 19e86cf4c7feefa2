import type { PastLoginResource } from '@vitrine/contracts/api';
import type { PastLogin } from '@vitrine/domain';

/** The resource of a login, for the account's user. */
export const presentPastLogin = (login: PastLogin): PastLoginResource => ({
  created_at: login.createdAt.toISOString(),
  method: login.method,
  second_factor: login.secondFactor,
  device: login.device,
  address: login.address,
  known_device: login.knownDevice,
});
