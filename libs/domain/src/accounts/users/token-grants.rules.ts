import type { Scope } from '@vitrine/contracts';
import { InvalidFieldsError } from '../../base/errors/domain-error';

/** Throws `InvalidFieldsError` if the scope `moderate` is wanted for an account that isn’t of the staff. */
export function assertMayGrant(scopes: readonly Scope[] | undefined, isStaff: boolean): void {
  const index = scopes?.indexOf('moderate') ?? -1;
  if (index >= 0 && !isStaff) {
    throw new InvalidFieldsError({
      [`scopes.${index}`]: ['Only moderators and admins can use this scope.'],
    });
  }
}
