/** PostgreSQL's class 22, data exception: its messages quote values, such as a text that is not a number. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

/**
 * Returns the message of an error as it may be logged or stored: without the values that PostgreSQL and the JSON parser
 * quote, because they may be personal. Returns the text of anything that isn't an error.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return quotesValues(error) ? withoutQuotes(error.message) : error.message;
}

/** Returns the stack of an error, without quoted values, as in `errorMessage`. */
export function errorStack(error: Error): string | undefined {
  if (!error.stack || !quotesValues(error)) return error.stack;
  return error.stack.replace(error.message, withoutQuotes(error.message));
}

function quotesValues(error: Error & { code?: unknown }): boolean {
  return error instanceof SyntaxError || (typeof error.code === 'string' && DATA_EXCEPTION.test(error.code));
}

/** Cuts from the first quotation mark to the last, because a value may contain quotation marks too. */
const withoutQuotes = (message: string): string => message.replace(/".*"/s, '"…"');
