/** Reads a token from the value of an `Authorization` header; undefined if it has another form. */
export type AuthorizationForm = (header: string) => string | undefined;

export const bearer: AuthorizationForm = (header) => /^Bearer +([^ ]+) *$/i.exec(header)?.[1];

export const clientId: AuthorizationForm = (header) => /^Client-ID +([^ ]+) *$/i.exec(header)?.[1];

/** Only the token, without a scheme. */
export const withoutScheme: AuthorizationForm = (header) => /^ *([^ ]+) *$/.exec(header)?.[1];

/** The token is the password; or the user name, if the password is empty. */
export const basic: AuthorizationForm = (header) => {
  const encoded = /^Basic +([\w+/-]{1,400}={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return password.join(':') || user || undefined;
};
