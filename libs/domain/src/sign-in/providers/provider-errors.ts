/** A provider can't be reached, is too slow, or isn't what its settings say: the operator or the provider must act. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError';
}

/** What a provider or a browser has sent proves nothing. The message is for the log, and contains no secret. */
export class UnprovedIdentityError extends Error {
  override readonly name = 'UnprovedIdentityError';
}

/** The provider knows the person, but its settings don't let the person in. */
export class UnwantedIdentityError extends Error {
  override readonly name = 'UnwantedIdentityError';
}
