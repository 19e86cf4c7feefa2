/** PostgreSQL's class 22, data exception: what couldn't be read as a number, say, is quoted in the message. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

/**
 * What an error says, as far as it may be logged or kept: PostgreSQL and JSON's parser quote the values that they
 * can't read, which may be anybody's, and so those go. Of what isn't an error it gives the text.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return quotesValues(error) ? withoutQuotes(error.message) : error.message;
}

/** The stack of an error, with as little of values as its message. */
export function errorStack(error: Error): string | undefined {
  if (!error.stack || !quotesValues(error)) return error.stack;
  return error.stack.replace(error.message, withoutQuotes(error.message));
}

function quotesValues(error: Error & { code?: unknown }): boolean {
  return error instanceof SyntaxError || (typeof error.code === 'string' && DATA_EXCEPTION.test(error.code));
}

/** From the first quotation mark to the last: a value may hold some too. */
const withoutQuotes = (message: string): string => message.replace(/".*"/s, '"…"');
